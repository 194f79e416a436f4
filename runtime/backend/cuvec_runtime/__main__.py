from . import path

print(path())
