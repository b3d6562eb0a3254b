import { expect, it } from 'vitest';
import { whoCanAssign } from './who-can-assign.ts';

const TOM = { id: 1, first_name: 'Tom', last_name: 'Finch' };
const RAE = { id: 2, first_name: 'Rae', last_name: 'Lund', role: 'reading_lead' } as const;
const ANN = { id: 3, first_name: 'Ann', last_name: 'Price', role: 'teaching_assistant' } as const;

it.each([
  [[], [], 'an admin'],
  [[TOM], [ANN], 'Tom Finch or an admin'],
  [[TOM], [RAE, ANN], 'Tom Finch, Rae Lund or an admin'],
  [[RAE], [RAE], 'Rae Lund or an admin'],
])('of the teachers %j and the staff %j, “%s” can change the books of a class', (teachers, staff, expected) => {
  expect(whoCanAssign(teachers, staff)).toBe(expected);
});
