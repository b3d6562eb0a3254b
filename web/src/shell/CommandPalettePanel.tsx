import { CloseButton } from '../ui/Button.tsx';
import { TextInput } from '../ui/Field.tsx';
import { keepPreviousData, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useLocation, useNavigate } from '../shared/router.ts';
import type { User } from '#contract/calls/access.ts';
import { findBooksQuery, type LibraryOwner } from '../features/books/books/palette-search.public.ts';
import { findPupilsQuery } from '../features/school/pupils/palette-search.public.ts';
import { useCanChange, useIsTeachingOpen, useSchool } from '../features/school/school/school.public.ts';
import { paths } from '../paths.ts';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { can, canAssignBooks, canRenewLogin } from '../shared/can.ts';
import { count } from '../shared/format.ts';
import { allClassesParams, ownClasses } from '../shared/own-classes.ts';
import { otherSchools } from '../shared/own-schools.ts';
import { recentVisits } from '../shared/recent-visits.ts';
import { useSchoolId, useUser } from '../shared/session.ts';
import { PALETTE_ID } from '../shared/shortcuts.ts';
import { isSupplyTeacher } from '../shared/supply-teacher.ts';
import { useDebouncedValue } from '../shared/use-debounced-value.ts';
import { DialogStatusRegion } from '../ui/StatusRegion.tsx';
import { openOnTop } from '../ui/top-dialog.ts';
import { useAnnouncement } from '../ui/use-announcement.ts';
import css from './CommandPalettePanel.module.css';
import { navigationFor } from './navigation.ts';
import {
  bookResults,
  resetActions,
  everythingActions,
  everythingSearch,
  libraryFor,
  ownFirst,
  type PaletteResult,
  type PaletteSection,
  recentResults,
  resetSearch,
  searchActions,
  searchClasses,
  searchLibraries,
  searchSchools,
  searchScreens,
  searchStaff,
} from './palette-search.ts';

const DEBOUNCE_MS = 200;
const MAX_HELP_RESULTS = 4;
const MAX_PUPILS = 10;

/** Help search. Its texts load when the palette is first opened. */
const helpSearchQuery = queryOptions({
  queryKey: ['help-search'],
  queryFn: async () => (await import('../features/help/help/search-help.public.ts')).findInHelp,
  staleTime: Infinity,
});

/** A field and its results: arrow keys choose, Enter opens. A combobox as the ARIA patterns describe it. */
export default function CommandPalettePanel() {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [activeIndex, setActiveIndex] = useState(0);
  const [isEntered, setEntered] = useState(false);
  const user = useUser();
  const { words, sections, failure, isWaiting, retry } = useFound(typed, isOpen);
  const navigate = useNavigate();
  const id = useId();
  const all = sections.flatMap(({ results }) => results);
  const chosen = all[Math.min(activeIndex, all.length - 1)];
  const idOf = (result: PaletteResult) => `${id}-${result.key}`;

  // The inline script may have opened the dialog, and text may have been typed, before React hydrated it.
  useLayoutEffect(() => {
    if (!dialog.current?.open) return;
    setOpen(true);
    setTyped(field.current?.value ?? '');
  }, []);
  useLayoutEffect(() => {
    if (isOpen && dialog.current) return openOnTop(dialog.current);
  }, [isOpen]);
  useEffect(() => {
    if (chosen) document.getElementById(`${id}-${chosen.key}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen, id]);

  const go = (result: PaletteResult) => {
    dialog.current?.close();
    void navigate(result.to, { state: result.state });
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && all.length > 0) {
      event.preventDefault();
      setActiveIndex((Math.min(activeIndex, all.length - 1) + step + all.length) % all.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      setEntered(true);
    }
  };
  // The results may still be those of the previous search text: Enter waits for the current ones.
  const target = isEntered && !isWaiting ? chosen : undefined;
  const goOn = useEffectEvent((to: PaletteResult) => go(to));
  useEffect(() => {
    if (target) goOn(target);
  }, [target]);
  const hasNoResults = words !== '' && all.length === 0 && !isWaiting && !failure;
  const found = hasNoResults ? 'No results' : count(all.length, 'result');
  useAnnouncement(words !== '' && !isWaiting && !failure && found, words);

  return (
    <dialog
      ref={dialog}
      id={PALETTE_ID}
      aria-label="Find anything"
      className={css.dialog}
      onFocus={() => setOpen(true)}
      onClose={() => {
        setOpen(false);
        setTyped('');
        setActiveIndex(0);
        setEntered(false);
      }}
      // The panel fills the dialog, so a click on the dialog itself is a click on the backdrop.
      onClick={(event) => event.target === event.currentTarget && dialog.current?.close()}
    >
      <div className={css.panel}>
        <div className={css.head}>
          <h2>Find anything</h2>
          <CloseButton aria-label="Close" onClick={() => dialog.current?.close()} />
        </div>
        <TextInput
          ref={field}
          label={labelFor(user)}
          icon={<IconSearch size={18} aria-hidden />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setActiveIndex(0);
            setEntered(false);
          }}
          onKeyDown={onKey}
          autoComplete="off"
          role="combobox"
          aria-expanded={all.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={chosen && idOf(chosen)}
        />
        {failure && <ErrorNotice error={failure} onRetry={retry} />}
        <div id={id} role="listbox" aria-label="Found" className={css.list} hidden={all.length === 0}>
          {sections
            .filter(({ results }) => results.length > 0)
            .map(({ title, results }) => (
              <div key={title} role="group" aria-label={title}>
                <p className={`soft strong ${css.title}`} aria-hidden>
                  {title}
                </p>
                {results.map((result) => (
                  // The field handles the keys: the focus stays there.
                  <div
                    key={result.key}
                    id={idOf(result)}
                    role="option"
                    tabIndex={-1}
                    aria-selected={result === chosen}
                    className={css.option}
                    onPointerDown={(event) => event.preventDefault()}
                    onPointerMove={() => setActiveIndex(all.indexOf(result))}
                    onClick={() => go(result)}
                    onKeyDown={onKey}
                  >
                    <span className={css.name}>{result.name}</span>
                    <span className={`soft ${css.detail}`}>{result.detail}</span>
                  </div>
                ))}
              </div>
            ))}
        </div>
        {typed === '' && all.length === 0 && <p className={css.hint}>Type a few letters of a name.</p>}
        {hasNoResults && <p className={css.nothing}>Nothing found with “{words}”.</p>}
      </div>
      <DialogStatusRegion />
    </dialog>
  );
}

/** Names what the user can find. Colleagues are on a screen that a supply teacher does not have. */
function labelFor(user: User): string {
  if (isSupplyTeacher(user)) return 'Pupil, class or screen';
  return can(user, 'view_pupils') ? 'Pupil, class, colleague, book or screen' : 'Colleague or screen';
}

/** What the server finds, as one result: results that arrived one after another would move under the pointer. */
function findQuery(client: QueryClient, schoolId: number, searchText: string, hasOwn: boolean, owner?: LibraryOwner) {
  const pupilSearch = resetSearch(searchText) ?? everythingSearch(searchText) ?? searchText;
  return queryOptions({
    queryKey: ['palette', schoolId, searchText, hasOwn, owner],
    queryFn: async () => {
      const [pupils, ownPupils, books] = await Promise.all([
        client.fetchQuery(findPupilsQuery(schoolId, pupilSearch)),
        hasOwn ? client.fetchQuery(findPupilsQuery(schoolId, pupilSearch, true)) : undefined,
        // The other results are shown even if the book search fails.
        owner && client.fetchQuery(findBooksQuery(schoolId, owner, searchText)).catch(() => undefined),
      ]);
      return { searchText, pupils, ownPupils, books };
    },
    // Each call has its own stale time.
    staleTime: 0,
  });
}

/** @param isOpen recent visits and help texts are read only while the palette is open */
function useFound(typed: string, isOpen: boolean) {
  const searchText = useDebouncedValue(typed.trim(), DEBOUNCE_MS);
  const hasSearchText = searchText !== '';
  const school = useSchool();
  const isTeachingOpen = useIsTeachingOpen();
  const canChange = useCanChange();
  const user = useUser();
  const searchesServer = hasSearchText && isTeachingOpen && can(user, 'view_pupils', school);
  const ownClassList = ownClasses(user, school);
  const { pathname } = useLocation();
  const classes = isTeachingOpen ? ownFirst(school?.groups ?? [], ownClassList) : [];
  const libraries = classes.map((one) => ({ ...one, user_manages: canAssignBooks(user, one.user_manages) }));
  const library = can(user, 'manage_books', school) ? libraryFor(pathname, libraries) : undefined;
  const search = useQuery({
    ...findQuery(useQueryClient(), useSchoolId(), searchText, ownClassList.length > 0, library?.owner),
    enabled: searchesServer,
    placeholderData: keepPreviousData,
  });
  const failure = searchesServer && !search.data ? search.error : null;
  const found = searchesServer ? search.data : undefined;
  // Local results appear together with the server's results for the same words.
  const words = failure || !searchesServer ? searchText : (found?.searchText ?? '');
  const findInHelp = useQuery({ ...helpSearchQuery, enabled: isOpen }).data;
  const help = findInHelp?.(words, MAX_HELP_RESULTS) ?? [];

  const pupils = ownFirst(found?.pupils.readers ?? [], found?.ownPupils?.readers ?? []).slice(0, MAX_PUPILS);
  const more = (found?.pupils.meta.total_filtered ?? 0) - pupils.length;
  const resetName = resetSearch(words);
  const subjectSearch = can(user, 'manage_requests', school) ? everythingSearch(words) : null;
  const pupilSearch = resetName ?? subjectSearch;
  const sections: PaletteSection[] = [
    {
      title: 'Recent',
      results: isOpen && words === '' && isTeachingOpen ? recentResults(recentVisits(), pathname) : [],
    },
    {
      title: 'Actions',
      results: [
        ...(resetName === null || !canChange
          ? []
          : resetActions(pupils.map((pupil) => ({ ...pupil, can_update: canRenewLogin(user, pupil) })))),
        ...(subjectSearch === null ? [] : everythingActions(pupils, searchStaff(school?.users ?? [], subjectSearch))),
        ...searchSchools(otherSchools(user), words),
        ...(isTeachingOpen ? searchActions(words, (right) => can(user, right, school), canChange) : []),
      ],
    },
    {
      title: 'Pupils',
      results: [
        ...pupils.map((pupil) => ({
          key: `pupil-${pupil.id}`,
          name: pupil.name,
          detail: pupil.group?.name ?? 'No class',
          to: paths.pupil(pupil.id),
        })),
        ...(more > 0
          ? [
              {
                key: 'more',
                name: `All pupils with “${pupilSearch ?? words}”`,
                detail: count(more, 'more pupil'),
                to: paths.pupils({ search: pupilSearch ?? words, ...allClassesParams(ownClassList) }),
              },
            ]
          : []),
      ],
    },
    { title: 'Classes', results: searchClasses(classes, words) },
    { title: 'Staff', results: isSupplyTeacher(user) ? [] : searchStaff(school?.users ?? [], words) },
    { title: 'Screens', results: searchScreens(navigationFor(user, school), words) },
    {
      title: 'Books',
      results: [
        ...searchLibraries(
          libraries.filter(({ user_manages }) => user_manages),
          words,
        ),
        ...(library ? bookResults(found?.books, library) : []),
      ],
    },
    {
      title: 'Help',
      results: help.map(({ title, detail, to }) => ({ key: `help-${to}`, name: title, detail, to })),
    },
  ];
  return {
    words,
    sections,
    failure,
    isWaiting: typed.trim() !== searchText || (searchesServer && (search.isPlaceholderData || search.isPending)),
    retry: () => void search.refetch(),
  };
}
