import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Block, readMarkdown } from '../read-markdown.ts';
import { describeHeaders, headersOfLists } from './headers-of-lists.ts';
import contents from './contents.json' with { type: 'json' };

export interface GuideItem {
  id: string;
  title: string;
  blocks: Block[];
  /** Routes of the screens that it explains. */
  screens: string[];
  /** Id of its video. */
  video: string | null;
}

export interface GuideTab {
  id: string;
  title: string;
  items: GuideItem[];
}

export interface Faq {
  id: string;
  title: string;
  blocks: Block[];
}

export interface Video {
  id: string;
  title: string;
  summary: string;
}

export interface HelpTexts {
  tabs: GuideTab[];
  faqSets: { title: string; faqs: Faq[] }[];
  videoSets: { title: string; videos: Video[] }[];
}

const FOLDER = import.meta.dirname;
const HEADERS = headersOfLists.map((column) => `- ${column.column}: ${describeHeaders(column)}`).join('\n');
/** Where the help's pictures and videos are. */
export const PICTURES = join(FOLDER, 'pictures');
export const VIDEOS = join(FOLDER, 'videos');

/** All texts of the help in their order, `{product}` still to be filled in. Throws where one cannot be read. */
export function readHelp(): HelpTexts {
  const read = (path: string) => {
    try {
      return readMarkdown(readFileSync(join(FOLDER, path), 'utf8').replace('{headers of lists}', HEADERS));
    } catch (cause) {
      throw new Error(`content/help/${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  };
  return {
    tabs: contents.tabs.map(({ id, title, items }) => ({
      id,
      title,
      items: (items as { id: string; screens: string[]; video?: string }[]).map((item) => ({
        id: item.id,
        ...read(`guide/${item.id}.md`),
        screens: item.screens,
        video: item.video ?? null,
      })),
    })),
    faqSets: contents.faqSets.map(({ title, faqs }) => ({
      title,
      faqs: faqs.map((id) => ({ id, ...read(`faq/${id}.md`) })),
    })),
    videoSets: contents.videoSets,
  };
}
