"""Entry of the command line: of ``python -m sdf_frames``, and of the script ``sdf_frames``."""
import os
import signal
import sys


def main() -> int:
    """Run the command line. Ctrl-C ends it without a traceback.

    During the import of the command line, the handler raises no exception, because that may become an ImportError.
    """
    if (before := signal.getsignal(signal.SIGINT)) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from sdf_frames.cli import main
    signal.signal(signal.SIGINT, before)
    return main()


if __name__ == "__main__":
    sys.exit(main())
