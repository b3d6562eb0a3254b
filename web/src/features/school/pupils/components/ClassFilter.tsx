import { ButtonSummary } from '../../../../ui/Button.tsx';
import { VisuallyHidden } from '../../../../ui/VisuallyHidden.tsx';
import { IconChevronDown } from '@tabler/icons-react';
import { count } from '../../../../shared/format.ts';
import { groupBy } from '../../../../shared/group-by.ts';
import type { Class } from '#contract/calls/school.ts';
import { can } from '../../../../shared/can.ts';
import { allClassesParams } from '../../../../shared/own-classes.ts';
import { useUser } from '../../../../shared/session.ts';
import { useSearchParamDraft } from '../../../../shared/use-search-param-draft.ts';
import { Popover } from '../../../../ui/Popover.tsx';
import { QueryForm } from '../../../../ui/QueryForm.tsx';
import { SearchParamsLink } from '../../../../ui/SearchParamsLink.tsx';
import { findYear, yearText } from '#contract/year-group.ts';
import { classesInUrl, isOwnByDefault, WITHOUT_CLASS } from '../model/pupils-table.ts';
import css from './ClassFilter.module.css';

interface Props {
  classes: readonly Pick<Class, 'id' | 'name' | 'readers_count'>[];
  /** IDs of a teacher's own classes, which are shown if the URL names no class. */
  ownClassIds: readonly number[];
}

/** The parameter of the URL. */
const CLASSES = 'groups';

/** Filters a list by class: a button that opens a list of checkboxes. */
export function ClassFilter({ classes, ownClassIds }: Props) {
  const user = useUser();
  const { draft, commit } = useSearchParamDraft(CLASSES);
  const ticked = isOwnByDefault(draft, user) ? ownClassIds.map(String) : classesInUrl(draft);
  const everywhere = allClassesParams(ownClassIds).groups ?? '';
  const tick = (next: readonly string[]) => commit(next.length === 0 ? everywhere : next.join(','));

  const toggle = (value: string) =>
    tick(ticked.includes(value) ? ticked.filter((classId) => classId !== value) : [...ticked, value]);
  // A year group selects all classes whose names begin with it.
  const years = [...groupBy(classes, ({ name }) => findYear(name)?.year)].flatMap(([year, members]) =>
    year === undefined || members.length < 2 ? [] : [{ year, ids: members.map(({ id }) => String(id)) }],
  );
  const toggleYear = (ids: readonly string[], isOn: boolean) => {
    const otherIds = ticked.filter((classId) => !ids.includes(classId));
    tick(isOn ? [...otherIds, ...ids] : otherIds);
  };
  const box = (value: string) => (
    <input
      type="checkbox"
      name={CLASSES}
      value={value}
      checked={ticked.includes(value)}
      onChange={() => toggle(value)}
    />
  );
  const only =
    ticked.length === 1
      ? ticked[0] === WITHOUT_CLASS
        ? 'Without a class'
        : classes.find((schoolClass) => String(schoolClass.id) === ticked[0])?.name
      : undefined;
  const areOwn =
    ownClassIds.length > 1 &&
    ticked.length === ownClassIds.length &&
    ownClassIds.every((id) => ticked.includes(String(id)));
  const summary =
    ticked.length === 0
      ? 'All classes'
      : areOwn
        ? `My ${ownClassIds.length} classes`
        : (only ?? count(ticked.length, 'class', 'classes'));

  return (
    <Popover
      className={css.root}
      button={(ref) => (
        <ButtonSummary
          ref={ref}
          variant="default"
          className={css.button}
          data-on={ticked.length > 0 || undefined}
          rightSection={<IconChevronDown size={18} aria-hidden />}
        >
          <VisuallyHidden>Classes shown: </VisuallyHidden>
          {summary}
        </ButtonSummary>
      )}
    >
      {() => (
        <div className={`raised ${css.panel}`} role="group" aria-label="Classes shown">
          <QueryForm sets={[CLASSES]} action="Show these classes">
            <ul className="plain">
              {years.map(({ year, ids }) => (
                <li key={`year ${year}`}>
                  <label>
                    <input
                      type="checkbox"
                      checked={ids.every((id) => ticked.includes(id))}
                      onChange={(event) => toggleYear(ids, event.currentTarget.checked)}
                    />
                    All of {yearText(year)}
                  </label>
                </li>
              ))}
              {classes.map(({ id, name, readers_count: pupilCount }) => (
                <li key={id}>
                  <label>
                    {box(String(id))}
                    {name} <span className="soft small nowrap">{count(pupilCount, 'pupil')}</span>
                  </label>
                </li>
              ))}
              {can(user, 'manage_pupils') && (
                <li>
                  <label>
                    {box(WITHOUT_CLASS)}
                    Without a class
                  </label>
                </li>
              )}
            </ul>
          </QueryForm>
          {ticked.length > 0 && (
            <SearchParamsLink changes={{ [CLASSES]: everywhere, page: null }} className={css.all}>
              Show all classes
            </SearchParamsLink>
          )}
        </div>
      )}
    </Popover>
  );
}
