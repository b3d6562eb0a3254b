import type { HelpTexts } from '#content/help/read-help.ts';
import { type Block, linesOf, plainText } from '#content/read-markdown.ts';
import { paths } from '../../../paths.ts';

export interface HelpResult {
  title: string;
  /** Where it stands, or the line in which it was found. */
  detail: string;
  to: string;
}

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('’', "'")
    .toLowerCase();

interface Page {
  title: string;
  area: string;
  to: string;
  blocks: readonly Block[];
}

const pagesOf = ({ tabs, faqs, videoSets }: HelpTexts): Page[] => [
  ...tabs.flatMap((tab) =>
    tab.items.map(({ id, title, blocks }) => ({ title, area: tab.title, to: paths.userGuideItem(tab.id, id), blocks })),
  ),
  ...faqs.map(({ id, title, blocks }) => ({ title, area: 'FAQs', to: paths.faq(id), blocks })),
  ...videoSets.flatMap(({ videos }) =>
    videos.map(({ id, title, summary }) => ({
      title: `Video: ${title}`,
      area: summary,
      to: paths.videoGuides({ video: id }),
      blocks: [],
    })),
  ),
];

/** What a word counts for where it stands. */
const WEIGHTS = { title: 9, heading: 4, text: 1 };

/** The pages of the help that have all the words, the best first. None without a word. */
export function searchHelp(help: HelpTexts, asked: string, most: number): HelpResult[] {
  const words = plain(asked).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return pagesOf(help)
    .flatMap(({ title, area, to, blocks }, index) => {
      const lines = [
        { text: title, weight: WEIGHTS.title },
        { text: area, weight: WEIGHTS.text },
        ...blocks.flatMap((block) =>
          linesOf(block).map((line) => ({
            text: plainText(line),
            weight: block.kind === 'heading' ? WEIGHTS.heading : WEIGHTS.text,
          })),
        ),
      ].map((line) => ({ ...line, plain: plain(line.text) }));
      const weights = words.map((word) =>
        Math.max(0, ...lines.filter((line) => line.plain.includes(word)).map(({ weight }) => weight)),
      );
      if (weights.includes(0)) return [];
      const found = lines.find((line) => words.every((word) => line.plain.includes(word)));
      const detail = found && found.text !== title ? found.text : area;
      return [{ index, weight: weights.reduce((sum, weight) => sum + weight, 0), result: { title, detail, to } }];
    })
    .sort((a, b) => b.weight - a.weight || a.index - b.index)
    .slice(0, most)
    .map(({ result }) => result);
}
