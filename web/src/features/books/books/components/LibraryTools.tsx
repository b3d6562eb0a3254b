import { NativeSelect } from '../../../../ui/Field.tsx';
import { LEVELS } from '#contract/limits.ts';
import { QueryForm } from '../../../../ui/QueryForm.tsx';
import { SearchBox } from '../../../../ui/SearchBox.tsx';
import { SearchParamsLink } from '../../../../ui/SearchParamsLink.tsx';
import type { useLibraryState } from '../model/library-state.ts';
import css from './LibraryTools.module.css';

const SHOWN = [
  ['all', 'All books'],
  ['assigned', 'Only Assigned'],
  ['unassigned', 'Only Unassigned'],
] as const;

/** Search, reading levels and the three filters. */
export function LibraryTools({ controls }: { controls: ReturnType<typeof useLibraryState> }) {
  const { state, search, setLevels, showChanges } = controls;
  return (
    <search className={`tools ${css.tools} no-print`} aria-label="Books">
      <div className={css.search}>
        <QueryForm sets={['search']} action="Search" onSubmit={() => search.commit()}>
          <SearchBox label="Search for a book" name="search" value={search.draft} onChange={search.setDraft} />
        </QueryForm>
      </div>
      <QueryForm sets={['from', 'to']} action="Show these levels" className={css.levels}>
        <NativeSelect
          label="Reading Levels from"
          name="from"
          value={String(state.from)}
          data={LEVELS.map((level) => ({ value: String(level), label: `Level ${level}`, disabled: level > state.to }))}
          onChange={(event) => setLevels(Number(event.currentTarget.value), state.to)}
        />
        <NativeSelect
          label="To"
          name="to"
          aria-label="Reading Levels to"
          value={String(state.to)}
          data={LEVELS.map((level) => ({
            value: String(level),
            label: `Level ${level}`,
            disabled: level < state.from,
          }))}
          onChange={(event) => setLevels(state.from, Number(event.currentTarget.value))}
        />
      </QueryForm>
      <nav className={css.filters} aria-label="Books shown">
        {SHOWN.map(([show, text]) => (
          <SearchParamsLink
            key={show}
            changes={showChanges(show)}
            replace
            aria-current={state.show === show ? 'true' : undefined}
          >
            {text}
          </SearchParamsLink>
        ))}
      </nav>
    </search>
  );
}
