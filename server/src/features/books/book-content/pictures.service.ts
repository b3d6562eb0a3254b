import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

const FOLDER = resolve(import.meta.dirname, '../../../../../content/pictures');

/** An element of a drawing with its attributes; `fill` and `stroke` are colours or the names of a scene's colours. */
export interface Shape {
  tag: 'path' | 'circle' | 'ellipse' | 'rect';
  attributes: Readonly<Record<string, string>>;
}

/** A drawing at its position: scaled, moved, perhaps mirrored, with its named colours replaced. */
export interface Drawing {
  shapes: readonly Shape[];
  x: number;
  y: number;
  scale: number;
  mirrored: boolean;
}

/** The size of a cover's picture. A page shows the lower part. */
export const PICTURE = { width: 300, height: 400 } as const;

const colour = z.string().regex(/^#[0-9a-f]{6}$|^#[0-9a-f]{3}$/);
const scene = z.strictObject({
  backdrop: z.string(),
  sky: colour,
  ground: colour,
  items: z.array(
    z.strictObject({
      motif: z.string(),
      /** The middle, and the bottom edge. */
      x: z.number(),
      y: z.number(),
      size: z.number().positive(),
      colour: colour.optional(),
      mirrored: z.boolean().optional(),
    }),
  ),
});
export type Scene = z.output<typeof scene>;

const ELEMENT = /<(path|circle|ellipse|rect)\s([^>]*?)\/>/g;
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g;

/** The drawings in a file by their IDs. */
function readDrawings(file: string): Map<string, Shape[]> {
  const text = readFileSync(resolve(FOLDER, file), 'utf8');
  return new Map(
    [...text.matchAll(/<g id="(\w+)">(.*?)<\/g>/gs)].map(([, id = '', inner = '']) => [
      id,
      [...inner.matchAll(ELEMENT)].map(([, tag, attributes = '']) => ({
        tag: tag as Shape['tag'],
        attributes: Object.fromEntries(
          [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', value = '']) => [name, value]),
        ),
      })),
    ]),
  );
}

interface Pictures {
  motifs: Map<string, Shape[]>;
  backdrops: Map<string, Shape[]>;
  scenes: Record<string, Scene>;
}
let pictures: Pictures | undefined;

/** All drawings and scenes, read once. Throws if a scene names an unknown drawing. */
function readPictures(): Pictures {
  if (pictures) return pictures;
  const [motifs, backdrops] = [readDrawings('motifs.svg'), readDrawings('backdrops.svg')];
  const scenes = z.record(z.string(), scene).parse(JSON.parse(readFileSync(resolve(FOLDER, 'scenes.json'), 'utf8')));
  for (const [id, { backdrop, items }] of Object.entries(scenes)) {
    const missing = [backdrop].filter((name) => !backdrops.has(name));
    missing.push(...items.map(({ motif }) => motif).filter((name) => !motifs.has(name)));
    if (missing.length > 0) throw new Error(`The scene of book ${id} names unknown drawings: ${missing.join(', ')}.`);
  }
  return (pictures = { motifs, backdrops, scenes });
}

/** The sources of all drawings, which are part of the versions of covers and previews. */
export const readPictureSources = (): string =>
  ['motifs.svg', 'backdrops.svg', 'scenes.json'].map((file) => readFileSync(resolve(FOLDER, file), 'utf8')).join('\n');

const PLAIN_SCENE: Scene = {
  backdrop: 'hills',
  sky: '#cfe6da',
  ground: '#86b55e',
  items: [
    { motif: 'book', x: 150, y: 376, size: 170, colour: '#2e86ab' },
    { motif: 'star', x: 240, y: 232, size: 44, colour: '#f2c14e' },
  ],
};

/** The scene of a book's cover. */
export const sceneOf = (bookId: number): Scene => readPictures().scenes[bookId] ?? PLAIN_SCENE;

/** Replaces named colours, and moves transparency from the colour to `opacity`, which every renderer supports. */
function coloured(shapes: readonly Shape[], named: Readonly<Record<string, string>>): Shape[] {
  return shapes.map(({ tag, attributes }) => {
    const filled: Record<string, string> = { ...attributes };
    for (const name of ['fill', 'stroke'] as const) {
      const value = named[filled[name] ?? ''] ?? filled[name];
      if (value === undefined) continue;
      filled[name] = value.length === 9 ? value.slice(0, 7) : value;
      if (value.length === 9) filled.opacity = String(Number.parseInt(value.slice(7), 16) / 255);
    }
    return { tag, attributes: filled };
  });
}

/** The drawings of a scene from back to front, on a picture of 300 by 400. */
export function composeScene({ backdrop, sky, ground, items }: Scene): Drawing[] {
  const { motifs, backdrops } = readPictures();
  return [
    { shapes: coloured(backdrops.get(backdrop) ?? [], { sky, ground }), x: 0, y: 0, scale: 1, mirrored: false },
    ...items.map(({ motif, x, y, size, colour: main = '#e4572e', mirrored = false }) => ({
      shapes: coloured(motifs.get(motif) ?? [], { main }),
      x: x - size / 2,
      y: y - size,
      scale: size / 100,
      mirrored,
    })),
  ];
}

const WORD_MOTIFS: Readonly<Record<string, string>> = {
  dog: 'pup',
  puppy: 'pup',
  pip: 'pup',
  chips: 'plate',
  dish: 'plate',
  lunch: 'plate',
  seagull: 'gull',
  gulls: 'gull',
  stars: 'star',
  dark: 'moon',
  night: 'moon',
  shoes: 'shoe',
  boots: 'boot',
  band: 'drum',
  song: 'note',
  sang: 'note',
  music: 'note',
  hum: 'note',
  humming: 'note',
  swim: 'swimmer',
  water: 'drop',
  rain: 'umbrella',
  raining: 'cloud',
  kites: 'kite',
  tooth: 'tooth',
  teeth: 'tooth',
  prize: 'rosette',
  record: 'rosette',
  station: 'train',
  clocks: 'clock',
  tick: 'clock',
  king: 'castle',
  queen: 'castle',
  knight: 'castle',
  flowers: 'flower',
  garden: 'flower',
  trees: 'tree',
  forest: 'tree',
  wood: 'tree',
  porridge: 'pot',
  soup: 'pot',
  food: 'pot',
  coats: 'coat',
  pond: 'frog',
  frogs: 'frog',
  ducks: 'duck',
  hens: 'hen',
  spiders: 'spider',
  yaks: 'yak',
  kitten: 'cat',
  cats: 'cat',
  home: 'house',
  door: 'house',
  village: 'house',
  houses: 'house',
  bells: 'bell',
  rang: 'bell',
  river: 'bridge',
  laughed: 'speech',
  joke: 'speech',
  said: 'speech',
  shouted: 'speech',
  read: 'book',
  wrote: 'book',
  diary: 'book',
  sunny: 'sun',
  summer: 'sun',
  winter: 'cloud',
  sky: 'cloud',
  wind: 'kite',
  path: 'footprints',
  prints: 'footprints',
  light: 'torch',
  seeds: 'carrot',
  dig: 'carrot',
  roman: 'helmet',
  romans: 'helmet',
  rubbish: 'box',
  parcel: 'box',
  submarine: 'submarine',
  deep: 'submarine',
  squid: 'octopus',
  rocket: 'rocket',
  planet: 'moon',
  numbers: 'zero',
  number: 'zero',
  biscuits: 'biscuit',
  judge: 'gavel',
  grandma: 'gran',
  granny: 'gran',
  grandad: 'man',
  dad: 'man',
  farmer: 'man',
};

/** A deterministic whole number for a text. */
const seedOf = (text: string): number =>
  Array.from(text).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);

/** Motifs in the air are placed higher and smaller. */
const AIRBORNE = new Set(['sun', 'moon', 'star', 'cloud', 'kite', 'gull', 'note', 'speech', 'spider']);

/** Positions of up to three motifs on a page's picture: middle, bottom edge and size. */
const POSITIONS = [
  [{ x: 150, y: 384, size: 170 }],
  [
    { x: 96, y: 378, size: 150 },
    { x: 218, y: 388, size: 130 },
  ],
  [
    { x: 66, y: 372, size: 116 },
    { x: 160, y: 388, size: 136 },
    { x: 252, y: 376, size: 104 },
  ],
] as const;

/** The height of a picture for which the positions are defined. Lower pictures scale them down. */
const REFERENCE_HEIGHT = 240;

const placed = (motif: string, { x, y, size }: { x: number; y: number; size: number }, scale: number) =>
  AIRBORNE.has(motif) ? { x, y: y - 110 * scale, size: size * scale * 0.6 } : { x, y, size: size * scale };

/**
 * The picture of a page: what its words name, on the ground of the cover, with a character from the cover.
 * @param height the height of the visible part of the picture, from its bottom edge
 */
export function scenePage(cover: Scene, text: string, page: number, height: number): Scene {
  const { motifs } = readPictures();
  const known = new Map(cover.items.map((item) => [item.motif, item]));
  const named = (text.toLowerCase().match(/[a-z]+/g) ?? [])
    .map((word) => (motifs.has(word) ? word : WORD_MOTIFS[word]))
    .filter((motif) => motif !== undefined);
  const guest = cover.items[(page + seedOf(text)) % cover.items.length]?.motif;
  const shown = [...new Set([...named.slice(0, 2), ...(guest ? [guest] : [])])].slice(0, 3);
  const places = POSITIONS[shown.length - 1] ?? POSITIONS[0];
  return {
    ...cover,
    items: shown.map((motif, index) => ({
      ...known.get(motif),
      motif,
      ...placed(motif, places[index] ?? places[0], Math.min(1, height / REFERENCE_HEIGHT)),
      mirrored: (page + index) % 2 === 1 && motif !== 'zero' && motif !== 'riddle' && motif !== 'book',
    })),
  };
}
