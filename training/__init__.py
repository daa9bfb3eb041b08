"""How the models that ship are made: `looksy models build NAME`. Not in the wheel; needs the extra `[train]`."""
