import { encodeQR } from 'qr';

/** A QR code as squares: `path` draws the dark ones, in units of a square, without the quiet zone. */
export interface QrCode {
  /** Squares per side. */
  size: number;
  /** Valid in PDF and in SVG. */
  path: string;
}

/** The QR code of a text, with enough error correction for a crumpled card (level M). */
export function makeQrCode(text: string): QrCode {
  // The library adds at least one square of the quiet zone.
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
