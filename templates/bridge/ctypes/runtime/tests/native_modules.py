"""`modules`: the modules in Python that `_core` of this bridge is made of."""

import importlib

import package

modules = importlib.import_module(f"{package.NAME}.cuvec._native")
