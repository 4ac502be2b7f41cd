/** One line at the foot of a terminal that says what is being done, written over again and again. */

export interface StatusLine {
  readonly show: (text: string) => void;
  /** Takes it away, before anything else is written. */
  readonly clear: () => void;
}

interface Terminal {
  readonly isTTY?: boolean;
  /** Absent or 0 where nobody knows. */
  readonly columns?: number;
  write(text: string): unknown;
}

const TO_THE_START = '\r';
const ERASE_THE_REST = '\u001B[K';
const USUAL_WIDTH = 80;

/** The status line of a stream; nothing at all is written to one that is no terminal. */
export function openStatusLine(stream: Terminal): StatusLine {
  let shown = false;
  return {
    show(text) {
      if (stream.isTTY !== true) return;
      // A line that wraps could not be taken back.
      const width = stream.columns ?? 0;
      const room = (width > 0 ? width : USUAL_WIDTH) - 1;
      stream.write(`${TO_THE_START}${text.slice(0, room)}${ERASE_THE_REST}`);
      shown = true;
    },
    clear() {
      if (shown) stream.write(`${TO_THE_START}${ERASE_THE_REST}`);
      shown = false;
    },
  };
}
