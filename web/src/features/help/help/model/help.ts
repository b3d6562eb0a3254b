import type { GuideItem, GuideTab } from '#content/help/read-help.ts';
import help from '#content/help/contents.json?help';
import { fillIn } from '../../../../shared/product.ts';

export const { faqSets, videoSets, pictures } = help;

/** The parts of the user guide. */
export const tabs: readonly GuideTab[] = help.tabs.map((tab) => ({ ...tab, title: fillIn(tab.title) }));

export interface GuidePlace {
  tab: GuideTab;
  item: GuideItem;
}

const places: readonly GuidePlace[] = tabs.flatMap((tab) => tab.items.map((item) => ({ tab, item })));

/** A section with its part, and the previous and next ones across all parts. Undefined for an unknown ID. */
export function findGuideItem(itemId: string) {
  const index = places.findIndex(({ item }) => item.id === itemId);
  const place = places[index];
  return place && { ...place, previous: places[index - 1], next: places[index + 1] };
}

/** The first section of the guide. */
export const firstPlace = places[0]!;

/** A video by its ID, if it has been recorded. */
export function findVideo(id: string | null) {
  const video = videoSets.flatMap(({ videos }) => videos).find((candidate) => candidate.id === id);
  const files = video && help.videos[video.id];
  return video && files && { ...video, ...files };
}
