import type { CertificateId } from '#contract/certificates.ts';

type Doc = PDFKit.PDFDocument;

export interface Palette {
  /** Titles and lines. */
  strong: string;
  /** Shapes of the emblem. */
  bright: string;
  warm: string;
  /** The tint of the paper. */
  paper: string;
}

export const PALETTES: Record<CertificateId, Palette> = {
  'book-worm': { strong: '#2f5d23', bright: '#7cb84a', warm: '#e9a23b', paper: '#f6faee' },
  'class-of-the-week': { strong: '#0c5160', bright: '#3f9fb0', warm: '#e76f52', paper: '#eff8f9' },
  'improved-reader': { strong: '#7a3b12', bright: '#e58a3a', warm: '#5b9a43', paper: '#fdf5ea' },
  'next-level-reader': { strong: '#3b2f7d', bright: '#7a6bd1', warm: '#f0b429', paper: '#f4f2fc' },
  'reader-of-the-week': { strong: '#8c2439', bright: '#d6516c', warm: '#f2b84b', paper: '#fdf1f3' },
  'superstar-reader': { strong: '#1c3f7a', bright: '#f5bd2c', warm: '#e2603f', paper: '#f1f6fd' },
};

/** A star with rounded joints around a middle. */
export function star(doc: Doc, x: number, y: number, radius: number, points = 5, inner = 0.5, turn = 0): Doc {
  for (let step = 0; step < points * 2; step += 1) {
    const angle = turn - Math.PI / 2 + (step * Math.PI) / points;
    const far = step % 2 === 0 ? radius : radius * inner;
    const [px, py] = [x + Math.cos(angle) * far, y + Math.sin(angle) * far];
    if (step === 0) doc.moveTo(px, py);
    else doc.lineTo(px, py);
  }
  return doc.closePath();
}

/** An open book with its fold at x and its lower edge at y. */
function openBook(doc: Doc, x: number, y: number, width: number, { strong, warm }: Palette): void {
  const half = width / 2;
  const rise = width * 0.13;
  const height = width * 0.42;
  doc
    .moveTo(x, y + 7)
    .bezierCurveTo(x - half * 0.4, y - rise + 7, x - half * 0.8, y - rise + 7, x - half - 6, y + 4)
    .lineTo(x - half - 6, y - height + 4)
    .lineTo(x + half + 6, y - height + 4)
    .lineTo(x + half + 6, y + 4)
    .bezierCurveTo(x + half * 0.8, y - rise + 7, x + half * 0.4, y - rise + 7, x, y + 7)
    .fill(warm);
  for (const side of [-1, 1])
    doc
      .moveTo(x, y)
      .bezierCurveTo(x + side * half * 0.4, y - rise, x + side * half * 0.8, y - rise, x + side * half, y)
      .lineTo(x + side * half, y - height)
      .bezierCurveTo(x + side * half * 0.8, y - height - rise, x + side * half * 0.4, y - height - rise, x, y - height)
      .closePath()
      .fillAndStroke('#ffffff', strong);
  doc.save().lineWidth(1.4).strokeColor(strong).strokeOpacity(0.35);
  for (const side of [-1, 1])
    for (let line = 1; line <= 4; line += 1) {
      const ly = y - height + line * (height / 5);
      doc
        .moveTo(x + side * half * 0.16, ly - rise * 0.35)
        .bezierCurveTo(
          x + side * half * 0.4,
          ly - rise * 0.85,
          x + side * half * 0.7,
          ly - rise * 0.85,
          x + side * half * 0.88,
          ly - rise * 0.25,
        );
    }
  doc.stroke().restore();
}

function face(doc: Doc, x: number, y: number, size: number, ink: string): void {
  for (const side of [-1, 1]) doc.circle(x + side * size * 0.32, y - size * 0.12, size * 0.09).fill(ink);
  doc
    .moveTo(x - size * 0.3, y + size * 0.16)
    .bezierCurveTo(x - size * 0.15, y + size * 0.42, x + size * 0.15, y + size * 0.42, x + size * 0.3, y + size * 0.16)
    .lineWidth(size * 0.07)
    .lineCap('round')
    .stroke(ink);
}

/** A worm that looks over the edge of its book. */
function bookWorm(doc: Doc, x: number, y: number, palette: Palette): void {
  const body: [dx: number, dy: number][] = [
    [52, 8],
    [40, -14],
    [20, -22],
    [0, -12],
    [-16, 2],
    [-34, -10],
  ];
  doc.lineWidth(1.6);
  openBook(doc, x, y + 52, 150, palette);
  for (const [dx, dy] of body) doc.circle(x + dx, y + dy, 15).fillAndStroke(palette.bright, palette.strong);
  doc.circle(x - 44, y - 32, 23).fillAndStroke(palette.bright, palette.strong);
  for (const side of [-1, 1])
    doc
      .moveTo(x - 44 + side * 8, y - 53)
      .lineTo(x - 44 + side * 13, y - 66)
      .stroke(palette.strong)
      .circle(x - 44 + side * 13, y - 68, 3.5)
      .fill(palette.warm);
  doc.lineWidth(2);
  for (const side of [-1, 1]) doc.circle(x - 44 + side * 9, y - 35, 7.5).fillAndStroke('#ffffff', palette.strong);
  for (const side of [-1, 1]) doc.circle(x - 44 + side * 9 + 1, y - 34, 2.6).fill(palette.strong);
  doc
    .moveTo(x - 52, y - 21)
    .bezierCurveTo(x - 48, y - 15, x - 40, y - 15, x - 36, y - 21)
    .lineCap('round')
    .stroke(palette.strong);
}

/** A cup with three children's heads of paper behind it. */
function cup(doc: Doc, x: number, y: number, palette: Palette): void {
  const heads: [dx: number, tone: string, hair: string][] = [
    [-62, '#8d5a3b', '#2b1a12'],
    [62, '#f1c9a5', '#a4512a'],
  ];
  for (const [dx, tone, hair] of heads) {
    doc.circle(x + dx, y + 8, 25).fill(hair);
    doc.circle(x + dx, y + 14, 21).fill(tone);
    face(doc, x + dx, y + 14, 24, '#2b1a12');
    doc
      .moveTo(x + dx - 30, y + 62)
      .bezierCurveTo(x + dx - 28, y + 30, x + dx + 28, y + 30, x + dx + 30, y + 62)
      .fill(dx < 0 ? palette.warm : palette.bright);
  }
  doc.lineWidth(7).strokeColor('#d99a1e');
  for (const side of [-1, 1])
    doc
      .moveTo(x + side * 30, y - 34)
      .bezierCurveTo(x + side * 62, y - 38, x + side * 56, y + 2, x + side * 20, y + 6)
      .stroke();
  doc
    .moveTo(x - 34, y - 48)
    .lineTo(x + 34, y - 48)
    .bezierCurveTo(x + 34, y + 4, x + 18, y + 18, x + 7, y + 22)
    .lineTo(x + 7, y + 40)
    .lineTo(x + 24, y + 46)
    .lineTo(x + 24, y + 58)
    .lineTo(x - 24, y + 58)
    .lineTo(x - 24, y + 46)
    .lineTo(x - 7, y + 40)
    .lineTo(x - 7, y + 22)
    .bezierCurveTo(x - 18, y + 18, x - 34, y + 4, x - 34, y - 48)
    .fill('#f5bd2c');
  star(doc, x, y - 18, 17).fill('#ffffff');
}

/** A plant that grows out of a book. */
function plant(doc: Doc, x: number, y: number, palette: Palette): void {
  doc.lineWidth(1.6);
  openBook(doc, x, y + 58, 140, { ...palette, warm: palette.bright });
  doc
    .moveTo(x, y + 46)
    .bezierCurveTo(x - 6, y + 10, x + 8, y - 20, x, y - 44)
    .lineWidth(5)
    .lineCap('round')
    .stroke(palette.warm);
  const leaves: [dy: number, side: number, size: number][] = [
    [22, -1, 30],
    [2, 1, 36],
    [-20, -1, 26],
  ];
  for (const [dy, side, size] of leaves)
    doc
      .moveTo(x, y + dy)
      .bezierCurveTo(
        x + side * size * 0.3,
        y + dy - size,
        x + side * size * 1.2,
        y + dy - size * 0.9,
        x + side * size * 1.5,
        y + dy - size * 0.5,
      )
      .bezierCurveTo(x + side * size * 1.1, y + dy + size * 0.2, x + side * size * 0.4, y + dy + size * 0.2, x, y + dy)
      .fill(palette.warm);
  for (let petal = 0; petal < 8; petal += 1) {
    const angle = (petal * Math.PI) / 4;
    doc.circle(x + Math.cos(angle) * 17, y - 56 + Math.sin(angle) * 17, 10).fill(palette.bright);
  }
  doc.circle(x, y - 56, 13).fill('#fff3d6');
  face(doc, x, y - 56, 15, palette.strong);
}

/** Books as stairs, a flag on the highest. */
function stairs(doc: Doc, x: number, y: number, palette: Palette): void {
  const tones = [palette.bright, palette.warm, '#e0655a', '#45a2a8'];
  for (let step = 0; step < 4; step += 1)
    for (let book = 0; book <= step; book += 1) {
      const [left, top] = [x - 84 + step * 42, y + 44 - book * 22];
      doc.roundedRect(left, top, 40, 19, 4).fill(tones[(step + book) % 4] ?? palette.bright);
      doc.rect(left + 6, top + 5, 28, 3).fill('#ffffff');
    }
  doc
    .moveTo(x + 62, y - 22)
    .lineTo(x + 62, y - 78)
    .lineWidth(4)
    .lineCap('round')
    .stroke(palette.strong);
  doc
    .moveTo(x + 64, y - 76)
    .bezierCurveTo(x + 80, y - 84, x + 88, y - 66, x + 104, y - 74)
    .lineTo(x + 104, y - 46)
    .bezierCurveTo(x + 88, y - 38, x + 80, y - 56, x + 64, y - 48)
    .fill(palette.warm);
  star(doc, x + 84, y - 61, 9).fill('#ffffff');
  doc.lineWidth(3.5).dash(1, { space: 9 }).lineCap('round');
  doc
    .moveTo(x - 78, y + 22)
    .bezierCurveTo(x - 60, y - 30, x - 20, y - 52, x + 40, y - 62)
    .stroke(palette.strong);
  doc.undash();
}

/** A rosette with an open book in its middle. */
function rosette(doc: Doc, x: number, y: number, palette: Palette): void {
  for (const side of [-1, 1])
    doc
      .moveTo(x + side * 6, y)
      .lineTo(x + side * 46, y + 74)
      .lineTo(x + side * 26, y + 68)
      .lineTo(x + side * 14, y + 84)
      .lineTo(x - side * 10, y + 20)
      .fill(side < 0 ? palette.strong : palette.bright);
  star(doc, x, y - 12, 64, 22, 0.84).fill(palette.bright);
  star(doc, x, y - 12, 54, 22, 0.86, 0.14).fill(palette.strong);
  doc.circle(x, y - 12, 43).fill('#ffffff');
  doc
    .circle(x, y - 12, 39)
    .lineWidth(2)
    .stroke(palette.warm);
  doc.lineWidth(1.4);
  openBook(doc, x, y + 6, 54, palette);
  star(doc, x, y - 36, 8).fill(palette.warm);
}

/** A large star with a face, among rays and smaller stars. */
function superstar(doc: Doc, x: number, y: number, palette: Palette): void {
  doc.save().lineWidth(5).lineCap('round').strokeColor(palette.warm);
  for (let ray = 0; ray < 16; ray += 1) {
    const angle = (ray * Math.PI) / 8 + Math.PI / 16;
    const [from, to] = ray % 2 ? [72, 86] : [72, 79];
    doc
      .moveTo(x + Math.cos(angle) * from, y + Math.sin(angle) * from)
      .lineTo(x + Math.cos(angle) * to, y + Math.sin(angle) * to);
  }
  doc.stroke().restore();
  doc.lineJoin('round').lineWidth(12);
  star(doc, x, y + 4, 62, 5, 0.55).fillAndStroke(palette.bright, palette.bright);
  face(doc, x, y + 6, 40, palette.strong);
  for (const side of [-1, 1])
    doc
      .circle(x + side * 22, y + 14, 5)
      .fillOpacity(0.55)
      .fill(palette.warm)
      .fillOpacity(1);
  for (const [dx, dy, size] of [
    [-112, -34, 13],
    [112, -34, 13],
    [-128, 24, 8],
    [128, 24, 8],
  ] as const)
    star(doc, x + dx, y + dy, size).fill(palette.bright);
}

/** The emblem at the head of each certificate, around its centre, about 180 points wide and 150 high. */
export const EMBLEMS: Record<CertificateId, (doc: Doc, x: number, y: number, palette: Palette) => void> = {
  'book-worm': bookWorm,
  'class-of-the-week': cup,
  'improved-reader': plant,
  'next-level-reader': stairs,
  'reader-of-the-week': rosette,
  'superstar-reader': superstar,
};
