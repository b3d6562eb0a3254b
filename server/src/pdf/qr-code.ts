import { encodeQR } from 'qr';

/** A QR code as a picture of squares: `path` draws its dark ones, in units of a square, without the quiet edge. */
export interface QrCode {
  /** Squares a side. */
  size: number;
  /** For a PDF and for SVG alike. */
  path: string;
}

/** The QR code of a text, with a correction that a crumpled card needs (level M). */
export function makeQrCode(text: string): QrCode {
  // The library leaves at least one square of the quiet edge.
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1));
  const runs = rows.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1]) return [];
      const end = row.indexOf(false, x);
      const length = (end < 0 ? row.length : end) - x;
      return [`M${x} ${y}h${length}v1h${-length}z`];
    }),
  );
  return { size: rows.length, path: runs.join('') };
}
