"""The project's pages: their links, their blocks of code, and the transcripts among these."""

import dataclasses
import re

from support import ROOT


def pages():
    """Every page of the project, by its path from the root."""
    found = [
        path for pattern in ("*.md", "docs/*.md", "Examples/**/*.md", "Tests/**/*.md",
                             "Sources/**/*.md", "Evaluation/**/*.md", "Benchmarks/**/*.md")
        for path in ROOT.glob(pattern) if ".build" not in path.parts]
    return {str(path.relative_to(ROOT)): path.read_text() for path in sorted(found)}


@dataclasses.dataclass
class Block:
    """A fenced block. `word` is what stands after the language: the file that the text is kept in,
    or why nobody runs the commands."""

    page: str
    line: int
    language: str
    word: str
    text: str

    @property
    def place(self):
        return f"{self.page}:{self.line}"

    def commands(self):
        """[(command, the lines that it prints)]: of a `console` all that stands after `$ `, of a
        `sh` the whole."""
        if self.language == "sh":
            return [(self.text, [])]
        found = []
        for line in self.text.splitlines():
            if line.startswith("$ "):
                found.append([line[2:], []])
            elif not found:
                raise AssertionError(f"{self.place} begins with no command")
            elif line.startswith("> ") and not found[-1][1]:
                found[-1][0] += "\n" + line[2:]
            else:
                found[-1][1].append(line)
        return [tuple(pair) for pair in found]


def blocks(page, text):
    """The fenced blocks of a page, in order. A fence may be indented, as in a list."""
    found, fence = [], None
    for number, line in enumerate(text.splitlines(), 1):
        match = re.fullmatch(r"( *)```(?:([a-z]+)(?: (\S+))?)?", line)
        if fence is None and match:
            fence = (len(match[1]), Block(page, number, match[2] or "", match[3] or "", ""))
        elif fence is not None and line.strip() == "```":
            found.append(fence[1])
            fence = None
        elif fence is not None:
            fence[1].text += line[fence[0]:] + "\n"
    if fence is not None:
        raise AssertionError(f"{fence[1].place}: this block has no end")
    return found


def without_blocks(text):
    """A page without what is in its blocks, fenced or indented, and in its code spans."""
    text = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.M | re.S)
    text = re.sub(r"^ {4,}.*$", "", text, flags=re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def links(text):
    """Where the links and pictures of a page lead."""
    text = without_blocks(text)
    return re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'\b(?:src|srcset|href)="([^"]+)"', text)


def anchors(text):
    """The names of the headings of a page, as web pages of repositories make them."""
    text = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.M | re.S)
    found = []
    for heading in re.findall(r"^#{1,6} (.+?) *$", text, re.M):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")
        count = sum(1 for other in found if re.fullmatch(re.escape(name) + r"(-\d+)?", other))
        found.append(f"{name}-{count}" if count else name)
    return found


def matches(expected, received):
    """Whether lines are those of a transcript, in which a line `…` stands for any number of lines."""
    if not expected:
        return not received
    if expected[0] == "…":
        return any(matches(expected[1:], received[i:]) for i in range(len(received) + 1))
    return bool(received) and expected[0] == received[0] and matches(expected[1:], received[1:])
