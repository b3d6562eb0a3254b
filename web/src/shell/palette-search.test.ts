import { expect, it } from 'vitest';
import { searchClasses } from './palette-search.ts';

const classes = ['Year 4 Kingfishers', 'Year 5 Kestrels', 'Coquelicots – Équipe 1'].map((name, index) => ({
  id: index + 1,
  name,
  readers_count: index,
}));

it.each([
  ['king', [1]],
  ['KESTRELS 5', [2]],
  ['year', [1, 2]],
  ['equipe', [3]],
  ['year owl', []],
  ['   ', []],
])('finds classes by all words of “%s”', (asked, ids) => {
  expect(searchClasses(classes, asked).map(({ key }) => key)).toEqual(ids.map((id) => `class-${id}`));
});

it('says where a class leads and how large it is', () => {
  expect(searchClasses(classes, 'kest')).toEqual([
    { key: 'class-2', name: 'Year 5 Kestrels', detail: '1 pupil', to: '/classes/2' },
  ]);
});

it('shows a handful, however many there are', () => {
  const many = Array.from({ length: 40 }, (_, id) => ({ id, name: `Class ${id}`, readers_count: 30 }));
  expect(searchClasses(many, 'class')).toHaveLength(6);
});
