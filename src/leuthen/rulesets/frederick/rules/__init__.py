"""The rules, a module a chapter. Rule numbers O… are those of the operational rules, C… of the Campaign Game."""
