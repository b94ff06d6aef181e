"""The numbers of the model."""

import pathlib
import tomllib

HERE = pathlib.Path(__file__).parent


class Parameters:
    """`parameters["rise.median"]`. What has no source is refused."""

    def __init__(self, **changed):
        """changed: other values, dots in their names written as `__`."""
        with open(HERE / "parameters.toml", "rb") as file:
            groups = tomllib.load(file)
        self.values, self.sources, self.units = {}, {}, {}
        for group, parameters in groups.items():
            for name, parameter in parameters.items():
                key = f"{group}.{name}"
                if set(parameter) != {"value", "unit", "source"} or not parameter["source"].strip():
                    raise ValueError(f"parameters.toml: {key} needs a value, a unit and a source")
                self.values[key] = parameter["value"]
                self.units[key] = parameter["unit"]
                self.sources[key] = parameter["source"]
        for key, value in changed.items():
            key = key.replace("__", ".")
            if key not in self.values:
                raise KeyError(key)
            self.values[key] = value

    def __getitem__(self, key):
        return self.values[key]
