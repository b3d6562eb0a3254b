// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import PrintWordsForm, { type WordSource } from './PrintWordsForm.tsx';

const RANGE = { from: '2026-09-01', to: '2026-10-31' };
const CLASS_WORDS = '/v1/enterprises/7/groups/4/words?start_date=2026-09-01&end_date=2026-10-31';
const PUPIL_WORDS = '/v1/enterprises/7/words';
const OF_CLASS: WordSource = { kind: 'class', id: 4, name: '3 Badgers' };
const ADA = { id: 5, name: 'Ada Baker' };
const BEN = { id: 6, name: 'Ben Crane' };

const spell = (index: number) => `word${String.fromCharCode(97 + index)}`;
const makeWords = (length: number) =>
  Array.from({ length }, (_, index) => ({ word: spell(index), readings: 40 - index, met: 81, readers: 12, books: [] }));
const makePupilWords = (length: number) => makeWords(length).map(({ readers: _, ...word }) => word);

let sent: Record<string, unknown[]> = {};
const listTicked = () => screen.getAllByRole<HTMLInputElement>('checkbox').flatMap((box) => (box.checked ? box : []));
const listPrinted = () => Object.keys(sent).filter((name) => name.includes('&output='));

function showForm(source: WordSource, reply: object, words?: string[]) {
  const url =
    source.kind === 'class'
      ? `GET ${CLASS_WORDS}`
      : `GET ${PUPIL_WORDS}?reader_ids=${source.pupils.map(({ id }) => id).join('%2C')}&start_date=2026-09-01&end_date=2026-10-31`;
  sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    [url]: () => reply,
  });
  return renderInApp(<PrintWordsForm source={source} range={RANGE} {...(words && { words })} />);
}

beforeEach(() => {
  signIn(makeUser());
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
});

it('printing the words of a class begins with the first twelve ticked, and prints those alone', async () => {
  const { user } = showForm(OF_CLASS, { words: makeWords(20) });
  await screen.findByRole('checkbox', { name: 'worda hard in 40 of 81, 12 pupils' });
  expect(listTicked()).toHaveLength(12);
  expect(listTicked().at(-1)!.labels![0]!.textContent).toContain(spell(11));

  await user.click(screen.getByRole('checkbox', { name: /^worda / }));
  await user.click(screen.getByRole('checkbox', { name: /^wordt / }));
  await user.click(screen.getByRole('button', { name: 'Print flashcards (2 pages)' }));
  const only = [...Array.from({ length: 11 }, (_, index) => spell(index + 1)), 'wordt'].join('%2C');
  await waitFor(() => expect(listPrinted()).toEqual([`GET ${CLASS_WORDS}&output=flashcards&only=${only}`]));
});

it('the print buttons follow “Tick all” and “Tick the first twelve” with their pages', async () => {
  const { user } = showForm(OF_CLASS, { words: makeWords(46) });
  const nameButtons = () => screen.getAllByRole('button', { name: /^Print/ }).map(({ textContent }) => textContent);
  await user.click(await screen.findByRole('button', { name: 'Tick all' }));
  expect(listTicked()).toHaveLength(46);
  expect(nameButtons()).toEqual(['Print sheet (2 pages)', 'Print flashcards (6 pages)', 'Print tick list (3 pages)']);
  await user.click(screen.getByRole('button', { name: 'Tick the first twelve' }));
  expect(listTicked()).toHaveLength(12);
  expect(nameButtons()).toEqual(['Print sheet (1 page)', 'Print flashcards (2 pages)', 'Print tick list (1 page)']);
});

it('all words are printed without naming each, which may be too many for an address', async () => {
  const { user } = showForm(OF_CLASS, { words: makeWords(13) });
  await user.click(await screen.findByRole('button', { name: 'Tick all' }));
  await user.click(screen.getByRole('button', { name: /^Print sheet/ }));
  await waitFor(() => expect(listPrinted()).toEqual([`GET ${CLASS_WORDS}&output=sheet`]));
});

it('nothing can be printed while no word is ticked', async () => {
  const { user } = showForm(OF_CLASS, { words: makeWords(1) });
  await user.click(await screen.findByRole('checkbox'));
  for (const button of screen.getAllByRole('button', { name: /^Print/ })) {
    expect(button).toHaveProperty('disabled', true);
    expect(button.textContent).not.toContain('page');
  }
});

it('words of several pupils begin with the twelve that most of them share, and each pupil with a ticked word has a sheet', async () => {
  const lists = [
    { ...ADA, words: makePupilWords(20) },
    { ...BEN, words: makePupilWords(20).slice(12) },
  ];
  showForm({ kind: 'pupils', pupils: [ADA, BEN] }, { readers: lists });
  await screen.findByRole('checkbox', { name: 'wordm 2 pupils, hard in 56 of 162' });
  const ticked = listTicked().map((box) => box.labels![0]!.textContent.split(' ')[0]);
  expect(ticked).toEqual([12, 13, 14, 15, 16, 17, 18, 19, 0, 1, 2, 3].map(spell));
  screen.getByRole('button', { name: 'Print sheet (2 pages)' });
  screen.getByRole('button', { name: 'Print flashcards (2 pages)' });
});

it('the words of a reason are ticked instead of the first twelve, whatever their case', async () => {
  showForm({ kind: 'pupils', pupils: [ADA] }, { readers: [{ ...ADA, words: makePupilWords(20) }] }, ['Wordb', 'wordt']);
  await screen.findByRole('checkbox', { name: 'wordb hard in 39 of 81' });
  expect(listTicked().map((box) => box.labels![0]!.textContent.split(' ')[0])).toEqual(['wordb', 'wordt']);
});
