import { read, utils } from '@e965/xlsx';
import { expect, people, saveFile, test } from './portal.ts';

test('a table can be downloaded as CSV and XLSX, with the current filters and an explanation', async ({ logIn }) => {
  const page = await logIn(people.teacher, '/pupils');
  const save = async (menu: string, format: string) => {
    await page.getByLabel(menu, { exact: true }).click();
    return saveFile(page, page.getByRole('button', { name: format, exact: true }));
  };

  const pupils = await save('Download the pupils shown', 'CSV');
  expect(pupils.name).toBe('pupils.csv');
  const [head, ...rows] = pupils.content.toString().split('\r\n').filter(Boolean);
  expect(head).toBe('\uFEFFName,Class,Year group');
  expect(rows).toHaveLength(31);
  expect(rows.filter((row) => !row.endsWith(',Year 4 Kingfishers,Year 4'))).toEqual([]);

  await page.getByRole('link', { name: 'Year 4 Kingfishers' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Year 4 Kingfishers' })).toBeVisible();
  const reading = await save('Download the reading of the class', 'Spreadsheet (xlsx)');
  expect(reading.name).toBe('class-reading.xlsx');
  const { SheetNames, Sheets } = read(reading.content);
  expect(SheetNames).toEqual(['Reading', 'About this file']);
  const [table, about] = SheetNames.map((name) => utils.sheet_to_json<string[]>(Sheets[name] ?? {}, { header: 1 }));
  expect(table).toHaveLength(32);
  expect(table?.[0]?.slice(0, 3)).toEqual(['Name', 'Last read', 'Minutes this week']);
  expect(about?.[0]?.[0]).toContain('Reading of Year 4 Kingfishers of Willowbank Primary School');
});
