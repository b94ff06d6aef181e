"""The figures of an evaluation, and when they are worse than others.

Everything is seeded, so that the same program gives the same figures to the last press: one press
less that is recognized is worse.
"""

import json

def read(path):
    return json.loads(path.read_text()) if path.exists() else {}


def write(path, figures):
    path.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n")


def broken(figures):
    """What must never be, a sentence each."""
    sentences = []
    for name, counts in figures["deliberate"].items():
        if counts["late"]:
            sentences.append(f"{name}: {counts['late']} events came later than the frame that crosses")
    for table, kinds in figures["ordinary"].items():
        for kind, counts in kinds.items():
            if counts["pops"]:
                sentences.append(f"ordinary use, {table}: {counts['pops']} of {counts['contacts']} {kind} contacts pop")
            if table.endswith("force 1") and kind in ("tap", "scroll", "drag") and counts["peeks"]:
                sentences.append(
                    f"ordinary use, {table}: {counts['peeks']} of {counts['contacts']} {kind} contacts peek")
    for rule, found in figures["ablation"].items():
        if not found["changes"] and not found["scenario"]:
            sentences.append(f"neither figures nor a scenario justify the rule {rule}: delete it, or say why it is there")
    return sentences


def compare(figures, accepted):
    """(what got worse, what got better), a sentence each."""
    worse, better = [], []

    def weigh(name, counts, before, fewer_is_better, total):
        if counts[total] != before[total]:
            worse.append(f"{name}: {counts[total]} {total} instead of {before[total]}: nothing to compare with")
            return
        for key, is_fewer_better in fewer_is_better.items():
            if counts[key] != before[key]:
                more = counts[key] > before[key]
                (worse if more == is_fewer_better else better).append(
                    f"{name}: {counts[key]} {key} of {counts[total]}, {before[key]} before")

    for name, counts in figures["deliberate"].items():
        before = accepted.get("deliberate", {}).get(name)
        if before is None:
            worse.append(f"{name}: new, nothing to compare with")
            continue
        meant = counts["meant"]
        # Of a press that was meant to pop, and of a touch.
        better_if = {"peeks": meant == "touch", "pops": meant != "pop", "late": True}
        weigh(name, counts, before, better_if, "trials")
    for table, kinds in figures["ordinary"].items():
        for kind, counts in kinds.items():
            before = accepted.get("ordinary", {}).get(table, {}).get(kind)
            name = f"ordinary use, {table}, {kind}"
            if before is None:
                worse.append(f"{name}: new, nothing to compare with")
            else:
                weigh(name, counts, before, {"peeks": True, "pops": True}, "contacts")
    gone = set(accepted.get("deliberate", {})) - set(figures["deliberate"])
    if figures["ordinary"]:
        gone |= {f"ordinary use, {table}" for table in set(accepted.get("ordinary", {})) - set(figures["ordinary"])}
    worse += [f"{name}: no longer evaluated" for name in sorted(gone)]
    for rule, found in figures["ablation"].items():
        before = accepted.get("ablation", {}).get(rule)
        if before and before["changes"] and not found["changes"] and figures["ordinary"]:
            worse.append(f"the rule {rule} changes no figure any more")
    return worse, better
