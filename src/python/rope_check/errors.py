"""What is raised: a wrong rotation never is, it is in a Report."""


class InputError(ValueError):
    """Input that cannot be judged (exit code 2): the message says what, where and what is right."""


class ToolError(RuntimeError):
    """The tool could not run or write (exit code 3), or failed otherwise; `exit_code` is its own,
    None where there is no tool."""

    def __init__(self, message: str, exit_code: "int | None" = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code
