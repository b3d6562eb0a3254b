import type { HelpTexts } from '#content/help/read-help.ts';
import { linesOf, plainText } from '#content/read-markdown.ts';
import { paths } from '../../../../paths.ts';
import { foldText } from '../../../../shared/fold-text.ts';

export interface HelpResult {
  title: string;
  /** The area of the help, or the line that contains the words. */
  detail: string;
  to: string;
}

/** The weight of a word by the part of the page that contains it. */
const WEIGHTS = { title: 9, heading: 4, text: 1 };

interface IndexedPage {
  title: string;
  area: string;
  to: string;
  lines: { text: string; folded: string; weight: number }[];
}

function buildIndex({ tabs, faqSets, videoSets }: HelpTexts): IndexedPage[] {
  const pages = [
    ...tabs.flatMap((tab) =>
      tab.items.map(({ id, title, blocks }) => ({
        title,
        area: tab.title,
        to: paths.userGuideItem(tab.id, id),
        blocks,
      })),
    ),
    ...faqSets.flatMap(({ faqs }) =>
      faqs.map(({ id, title, blocks }) => ({ title, area: 'FAQs', to: paths.faq(id), blocks })),
    ),
    ...videoSets.flatMap(({ videos }) =>
      videos.map(({ id, title, summary }) => ({
        title: `Video: ${title}`,
        area: summary,
        to: paths.videoGuides({ video: id }),
        blocks: [],
      })),
    ),
  ];
  const toLine = (text: string, weight: number) => ({ text, folded: foldText(text), weight });
  return pages.map(({ title, area, to, blocks }) => ({
    title,
    area,
    to,
    lines: [
      toLine(title, WEIGHTS.title),
      toLine(area, WEIGHTS.text),
      ...blocks.flatMap((block) =>
        linesOf(block).map((line) => toLine(plainText(line), WEIGHTS[block.kind === 'heading' ? 'heading' : 'text'])),
      ),
    ],
  }));
}

const indexes = new WeakMap<HelpTexts, IndexedPage[]>();

/** The index of the help, built by the first search. */
function getIndex(help: HelpTexts): IndexedPage[] {
  const index = indexes.get(help) ?? buildIndex(help);
  indexes.set(help, index);
  return index;
}

/** The help pages that contain every word, best matches first. None without a word. */
export function searchHelp(help: HelpTexts, searchText: string, maxResults: number): HelpResult[] {
  const words = foldText(searchText).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return getIndex(help)
    .flatMap(({ title, area, to, lines }, index) => {
      const weights = words.map((word) =>
        Math.max(0, ...lines.filter(({ folded }) => folded.includes(word)).map(({ weight }) => weight)),
      );
      if (weights.includes(0)) return [];
      const found = lines.find(({ folded }) => words.every((word) => folded.includes(word)));
      const detail = found && found.text !== title ? found.text : area;
      return [{ index, weight: weights.reduce((sum, weight) => sum + weight, 0), result: { title, detail, to } }];
    })
    .sort((a, b) => b.weight - a.weight || a.index - b.index)
    .slice(0, maxResults)
    .map(({ result }) => result);
}
