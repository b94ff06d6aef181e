"""The tables of docs/performance.md, and the budgets."""

import re


class Budgets:
    def __init__(self):
        self._judged = []

    def judge(self, what, measured, limit, unit):
        """`measured` is None where it could not be measured: that is no budget met."""
        self._judged.append((what, measured, limit, unit))

    @staticmethod
    def _number(value, unit):
        if value is None:
            return "not measured"
        return (f"{value:,.0f}" if unit == "" else f"{value:.2f}") + unit

    @staticmethod
    def _verdict(measured, limit):
        return "met" if measured is not None and measured <= limit else "missed"

    def rows(self):
        return [(what, self._number(measured, unit), f"{limit:,g}{unit}",
                 self._verdict(measured, limit))
                for what, measured, limit, unit in self._judged]

    def line(self):
        return "budgets: " + "; ".join(
            f"{what} {measured} of {limit} {verdict}"
            for what, measured, limit, verdict in self.rows())

    @property
    def are_met(self):
        return all(verdict == "met" for *_, verdict in self.rows())


class Report:
    """Tables by name, in Markdown."""

    def __init__(self):
        self._tables = {}

    def table(self, name, head, rows):
        lines = [head, ["---"] * len(head), *rows]
        self._tables[name] = "\n".join(
            "| " + " | ".join(map(str, line)) + " |" for line in lines)

    def text(self):
        return "\n\n".join(self._tables.values())

    def write(self, path):
        """Puts each table between its markers, `<!-- NAME -->` and `<!-- /NAME -->`."""
        text = path.read_text()
        for name, table in self._tables.items():
            text, count = re.subn(
                rf"(<!-- {name} -->\n).*?(\n<!-- /{name} -->)",
                lambda match: f"{match[1]}\n{table}\n{match[2]}".replace("\n\n\n", "\n\n"), text,
                flags=re.S)
            if count != 1:
                raise RuntimeError(f"{path} has no place for the table {name}")
        path.write_text(text)
