import { useDebouncedCallback } from '@mantine/hooks';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { withParameters } from '../../../shared/with-parameters.ts';

export const LEVELS = [1, 2, 3, 4, 5, 6] as const;
type Show = 'all' | 'assigned' | 'unassigned';

/** What a person sees of the library, as its address says: `?search=pup&from=2&to=4&show=assigned`. */
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

/** Reads the state of the library from an address. Whatever is no level or filter counts as none; a range that ends before it starts ends where it starts. */
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

/** In a query all is text. */
const level = (value: number) => String(value) as `${(typeof LEVELS)[number]}`;

/** The query of a page of the library; always in the same order, so that equal states have equal addresses. */
export const libraryParameters = ({ search, from, to, show }: LibraryState) => ({
  ...(search && { search }),
  ...(from > 1 && { level_from: level(from) }),
  ...(to < 6 && { level_to: level(to) }),
  ...(show !== 'all' && { show }),
});

/** True when filters leave books out. */
export const isNarrowed = ({ search, from, to, show }: LibraryState): boolean =>
  search !== '' || from > 1 || to < 6 || show !== 'all';

/** The state of the library in the page's address, so that reload, Back and a shared link restore it. */
export function useLibraryState() {
  const [query, setQuery] = useSearchParams();
  const state = useMemo(() => readLibraryState(query), [query]);
  const change = useCallback(
    (changes: Record<string, string | null>) =>
      // Of the address and not of what is drawn, which on a slow tablet is still that of the choice before.
      setQuery(withParameters(new URLSearchParams(window.location.search), changes), {
        preventScrollReset: true,
        replace: true,
      }),
    [setQuery],
  );
  const [searchTyped, setSearchTyped] = useState(state.search);
  // Back and Forward change the address behind the box; a space at the end of what is typed stays.
  useEffect(() => setSearchTyped((typed) => (typed.trim() === state.search ? typed : state.search)), [state.search]);
  const search = useDebouncedCallback((text: string) => change({ search: text.trim() }), DEBOUNCE_MS);
  return {
    state,
    searchTyped,
    setSearch: (text: string) => {
      setSearchTyped(text);
      search(text);
    },
    submitSearch: search.flush,
    setLevels: (from: number, to: number) =>
      change({ from: from > 1 ? String(from) : null, to: to < 6 ? String(to) : null }),
    setShow: (show: Show) => change({ show: show === 'all' ? null : show }),
    showAll: () => {
      setSearchTyped('');
      change({ search: null, from: null, to: null, show: null });
    },
  };
}

/** The address that shows all, the assigned or the unassigned, with the rest as it is. */
export function showAddress({ search, from, to }: LibraryState, show: Show): string {
  const query = new URLSearchParams({
    ...(search && { search }),
    ...(from > 1 && { from: String(from) }),
    ...(to < 6 && { to: String(to) }),
    ...(show !== 'all' && { show }),
  });
  return query.size > 0 ? `?${query}` : '.';
}
