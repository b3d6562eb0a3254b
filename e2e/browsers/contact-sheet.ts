import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Picture {
  browser: string;
  name: string;
  width: number;
  /** Inside the folder of the sheet. */
  file: string;
}

/** Writes index.html: one row for each screen, with the pictures of all browsers side by side. */
export function writeContactSheet(folder: string, pictures: readonly Picture[]): void {
  const rows = [...Map.groupBy(pictures, ({ name }) => name)].map(
    ([name, all]) =>
      `<h2>${name}</h2>\n<div>${all
        .toSorted((left, right) => right.width - left.width)
        .map(
          ({ browser, width, file }) =>
            `<figure><a href="${file}"><img src="${file}" alt="${name}"></a><figcaption>${browser}, ${width} px</figcaption></figure>`,
        )
        .join('')}</div>`,
  );
  const style = `body { margin: 16px; font: 14px sans-serif } h2 { margin: 16px 0 4px; font-size: 16px }
div { display: flex; flex-wrap: wrap; gap: 8px } figure { margin: 0 } img { height: 300px; border: 1px solid #999 }`;
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html>\n<html lang="en-GB">\n<meta charset="utf-8">\n<title>Screens in each browser</title>\n<style>${style}</style>\n<h1>Screens in each browser</h1>\n${rows.join('\n')}\n</html>\n`,
  );
}
