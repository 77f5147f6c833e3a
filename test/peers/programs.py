"""Programs that answer line by line, each in a process of its own, which may end."""

import os
import select
import subprocess
import tempfile

#: Seconds; Genesis compiles its kernels when it first runs on a machine.
PATIENCE = 600


class Program:
    """A program that is started when it is asked, and again if it ended; MuJoCo logs into its folder."""

    def __init__(self, *command: str | os.PathLike[str], **environment: str):
        self.command, self.environment, self.process = command, environment, None

    def ask(self, line: str | os.PathLike[str]) -> str:
        """Return the program's answer to a line, or that there is none."""
        if self.process is None:
            self.process = subprocess.Popen(self.command, env={**os.environ, **self.environment},
                                            cwd=tempfile.gettempdir(), stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                            errors="replace")
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        if ready and (answer := self.process.stdout.readline()):
            return answer.strip()
        self.end()
        return "it ends" if ready else f"it says nothing for {PATIENCE} s"

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def tell(what, names, asked, different, record_property) -> None:
    record_property("asked", asked)
    print(f"\n{what}: {len(names)} files, {asked} verdicts, {len(different)} files differ", *(
        f"    {name}: {problem}" for name, problem in different.items()), sep="\n")
