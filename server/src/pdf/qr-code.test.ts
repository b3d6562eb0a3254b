import { decodeQR } from 'qr/decode.js';
import { expect, test } from 'vitest';
import { makeQrCode, type QrCode } from './qr-code.ts';

/** The picture that the path draws, as a camera sees it: four pixels per square and a quiet zone of four squares. */
function paint({ size, path }: QrCode): { width: number; height: number; data: Uint8Array } {
  const side = (size + 8) * 4;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y, length] of [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)].map((match) => match.map(Number)))
    for (let row = 0; row < 4; row += 1)
      for (let column = 0; column < length! * 4; column += 1)
        data.fill(
          0,
          ((y! + 4) * 4 + row) * side * 4 + ((x! + 4) * 4 + column) * 4,
          ((y! + 4) * 4 + row) * side * 4 + ((x! + 4) * 4 + column) * 4 + 3,
        );
  return { width: side, height: side, data };
}

test.each([
  'A',
  'https://read.example/?username=ada-baker',
  `https://read.example/${'long/'.repeat(30)}?username=lukasz-nguyen-82`,
])('a camera reads the QR code of %s', (text) => {
  const code = makeQrCode(text);
  expect(code.path).toMatch(/^(M\d+ \d+h\d+v1h-\d+z)+$/);
  expect(decodeQR(paint(code))).toBe(text);
});
