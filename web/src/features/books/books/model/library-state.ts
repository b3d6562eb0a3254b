import { useMemo } from 'react';
import { useSearchParams } from '../../../../shared/router.ts';
import { LEVELS } from '#contract/limits.ts';
import { useSearchParamDraft } from '../../../../shared/use-search-param-draft.ts';
import { type ParamChanges, useUpdateSearchParams } from '../../../../shared/use-update-search-params.ts';

type Show = 'all' | 'assigned' | 'unassigned';

/** The state of the library in the URL: `?search=pup&from=2&to=4&show=assigned`. */
export interface LibraryState {
  search: string;
  from: number;
  to: number;
  show: Show;
}

const DEBOUNCE_MS = 300;

const levelIn = (text: string | null, otherwise: number): number => {
  const given = Number(text);
  return (LEVELS as readonly number[]).includes(given) ? given : otherwise;
};

/** Reads the state of the library from a URL. Invalid values are ignored; a range that ends before it starts ends where it starts. */
export function readLibraryState(query: URLSearchParams): LibraryState {
  const from = levelIn(query.get('from'), 1);
  const show = query.get('show');
  return {
    search: (query.get('search') ?? '').trim().slice(0, 191),
    from,
    to: Math.max(from, levelIn(query.get('to'), 6)),
    show: show === 'assigned' || show === 'unassigned' ? show : 'all',
  };
}

/** Query parameters are strings. */
const level = (value: number) => String(value) as `${(typeof LEVELS)[number]}`;

/** The query of a page of the library, always in the same order, so that equal states have equal URLs. */
export const libraryParameters = ({ search, from, to, show }: LibraryState) => ({
  ...(search && { search }),
  ...(from > 1 && { level_from: level(from) }),
  ...(to < 6 && { level_to: level(to) }),
  ...(show !== 'all' && { show }),
});

/** True when filters leave books out. */
export const isNarrowed = ({ search, from, to, show }: LibraryState): boolean =>
  search !== '' || from > 1 || to < 6 || show !== 'all';

const showChanges = (show: Show): ParamChanges => ({ show: show === 'all' ? null : show });

/** The state of the library in the page's URL, so that reload, Back and a shared link restore it. */
export function useLibraryState() {
  const [query] = useSearchParams();
  const state = useMemo(() => readLibraryState(query), [query]);
  const update = useUpdateSearchParams();
  const search = useSearchParamDraft('search', DEBOUNCE_MS);
  return {
    state,
    search,
    setLevels: (from: number, to: number) =>
      update({ from: from > 1 ? String(from) : null, to: to < 6 ? String(to) : null }, { replace: true }),
    /** The same for a link. */
    showChanges,
    showAll: () => {
      search.commit('');
      update({ from: null, to: null, show: null }, { replace: true });
    },
  };
}
