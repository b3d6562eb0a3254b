import type { Tally, ProgressListener } from './simulation.ts';

const WIDTH = 30;

interface Terminal {
  write(text: string): unknown;
  isTTY?: boolean;
}

/** Shows the progress of a simulation: a bar on a terminal, otherwise a line for each 10 %. */
export class Progress implements ProgressListener {
  readonly #out: Terminal;
  #shown = -1;
  #isLineOpen = false;
  constructor(out: Terminal) {
    this.#out = out;
  }

  say(line: string): void {
    this.end();
    this.#out.write(`${line}\n`);
  }

  progress(share: number, tally: Tally): void {
    const step = Math.floor(share * (this.#out.isTTY ? 100 : 10));
    // Pupils report in any order.
    if (step < this.#shown || (step === this.#shown && !this.#out.isTTY)) return;
    this.#shown = step;
    const text = `${String(Math.floor(share * 100)).padStart(3)} %  ${tally.sessions.toLocaleString('en-GB')} sessions, ${Math.round(tally.readingTime / 60).toLocaleString('en-GB')} minutes read`;
    if (!this.#out.isTTY) return void this.#out.write(`${text}\n`);
    const done = Math.round(share * WIDTH);
    this.#out.write(`\r[${'#'.repeat(done)}${'.'.repeat(WIDTH - done)}] ${text}\u001B[K`);
    this.#isLineOpen = true;
  }

  /** Ends the line of the bar. */
  end(): void {
    if (this.#isLineOpen) this.#out.write('\n');
    this.#isLineOpen = false;
  }
}
