const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const CLEAR_LINE = '\x1b[K';
const CLEAR_REST = '\x1b[J';

const QUIT_KEYS = ['q', 'Q', '\x03', '\x04'];

/** Shows text on the whole terminal, and restores what was there before. */
export class FullScreen {
  readonly #onKey: (key: Buffer) => void;

  /** `onQuit` is called for q and Ctrl-C, which is not a signal here. */
  constructor(onQuit: () => void) {
    this.#onKey = (key) => {
      if (QUIT_KEYS.includes(key.toString())) onQuit();
    };
    process.stdout.write(ENTER);
    if (process.stdin.isTTY) process.stdin.setRawMode(true).resume().on('data', this.#onKey);
  }

  show(lines: readonly string[]): void {
    process.stdout.write(`${HOME}${lines.map((line) => line + CLEAR_LINE).join('\r\n')}${CLEAR_REST}`);
  }

  close(): void {
    if (process.stdin.isTTY) process.stdin.off('data', this.#onKey).setRawMode(false).pause();
    process.stdout.write(LEAVE);
  }
}
