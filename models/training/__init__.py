"""How the models that ship with Looksy are made: `looksy models build NAME`. Needs the extra `[train]`."""
