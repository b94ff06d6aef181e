"""What the figures are without each of the rules that reject presses."""

import pathlib

# The scenario that shows best what each rule is for.
SCENARIOS = {
    "unarmed": "already-down-and-hard-must-be-light-first",
    "otherContact": "two-fingers-that-scroll-never-peek",
    "palm": "a-palm-never-peeks",
    "notFinger": "a-pen-never-peeks",
    "nowhere": "a-contact-without-coordinates-never-peeks",
    "dropped": "the-frame-of-a-drop-never-peeks",
    "moved": "a-touchscreen-finger-that-moves-never-peeks",
    "moving": "a-press-while-moving-waits-until-the-finger-rests",
    "baseline": "by-an-estimate-each-contact-has-its-own-level",
    "dragged": "a-drag-with-the-button-held-fails-until-the-lift",
}


def scenario(rule, root):
    """The name of a scenario that is there."""
    name = SCENARIOS.get(rule)
    return name if name and (pathlib.Path(root) / f"Tests/Scenarios/{name}.force").exists() else None


def compare(rules, deliberate, ordinary, root):
    """{rule: what changes without it}; each a list of [table, what, with the rule, without it]."""
    found = {}
    for rule in rules:
        changes = []
        for name, outcomes in deliberate.items():
            for what in ("peeked", "popped"):
                pair = [getattr(outcomes[variant], what) for variant in ((), (rule,))]
                if pair[0] != pair[1]:
                    changes.append([name, {"peeked": "peeks", "popped": "pops"}[what], *pair])
        for name, variants in ordinary.items():
            for what in ("peeks", "pops"):
                pair = [sum(getattr(counts, what) for counts in variants[variant].values()) for variant in ((), (rule,))]
                if pair[0] != pair[1]:
                    changes.append([f"ordinary use, {name}", what, *pair])
        found[rule] = {"changes": changes, "scenario": scenario(rule, root)}
    return found
