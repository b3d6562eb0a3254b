import { type Font, create } from 'fontkit';
import { loadAndika } from '../../../pdf/fonts.ts';
import { composeScene, type Drawing, PICTURE, sceneOf, type Shape } from './pictures.service.ts';

const TITLE = { left: 22, width: 262, top: 22, height: 116, largest: 42, smallest: 17, lineHeight: 1.16 };
const DARK_INK = '#1d2b3a';
const LIGHT_INK = '#fffdf4';

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const element = ({ tag, attributes }: Shape): string =>
  `<${tag} ${Object.entries(attributes)
    .map(([name, value]) => `${name}="${escape(value)}"`)
    .join(' ')}/>`;

const placed = ({ shapes, x, y, scale, mirrored }: Drawing): string =>
  `<g transform="translate(${mirrored ? x + 100 * scale : x} ${y}) scale(${mirrored ? -scale : scale} ${scale})">${shapes.map(element).join('')}</g>`;

/** Whether dark text is more legible than light text on a colour. */
export function needsDarkInk(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = (colour.slice(1).match(colour.length === 4 ? /./g : /../g) ?? []).map((part) =>
    Number.parseInt(part.padEnd(2, part), 16),
  );
  return red * 0.299 + green * 0.587 + blue * 0.114 > 140;
}

let bold: Font | undefined;
const titleFont = (): Font => (bold ??= create(loadAndika().bold) as Font);

const widthOf = (font: Font, text: string, size: number): number =>
  (font.layout(text).advanceWidth * size) / font.unitsPerEm;

/** Breaks words into lines no wider than `width`; a wider word gets a line of its own. */
function breakLines(font: Font, text: string, size: number, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(font, `${last} ${word}`, size) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The title as outlines, so that rendering a cover does not need the typeface. */
function renderTitle(title: string, ink: string): string {
  const font = titleFont();
  let size = TITLE.largest;
  let lines = breakLines(font, title, size, TITLE.width);
  const fits = () =>
    lines.length * size * TITLE.lineHeight <= TITLE.height &&
    lines.every((line) => widthOf(font, line, size) <= TITLE.width);
  while (size > TITLE.smallest && !fits()) {
    size -= 1;
    lines = breakLines(font, title, size, TITLE.width);
  }
  const scale = size / font.unitsPerEm;
  return lines
    .map((line, index) => {
      const { glyphs, positions } = font.layout(line);
      const baseline = TITLE.top + size * (0.86 + index * TITLE.lineHeight);
      let pen = 0;
      const letters = glyphs.map((glyph, glyphIndex) => {
        const letter = `<path transform="translate(${pen} 0)" d="${glyph.path.toSVG()}"/>`;
        pen += positions[glyphIndex]?.xAdvance ?? 0;
        return letter;
      });
      return `<g fill="${ink}" transform="translate(${TITLE.left} ${baseline}) scale(${scale} ${-scale})">${letters.join('')}</g>`;
    })
    .join('');
}

/** The cover of one of the product's own books: an SVG of 300 by 400. */
export function renderCover({ id, title }: { id: number; title: string }): string {
  const scene = sceneOf(id);
  const ink = needsDarkInk(scene.sky) ? DARK_INK : LIGHT_INK;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE.width}" height="${PICTURE.height}" viewBox="0 0 ${PICTURE.width} ${PICTURE.height}">`,
    ...composeScene(scene).map(placed),
    '<rect width="9" height="400" fill="#000" opacity="0.14"/><rect x="9" width="2" height="400" fill="#fff" opacity="0.25"/>',
    renderTitle(title, ink),
    '</svg>',
  ].join('');
}
