import { Button, Checkbox, VisuallyHidden } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useEffect, useId, useState } from 'react';
import { count } from '../../../shared/format.ts';
import type { Class } from '#contract/calls/school.ts';
import css from './ClassFilter.module.css';
import { usePopover } from '../../../ui/use-popover.ts';
import { WITHOUT_CLASS } from '../model/pupils-table.ts';

interface Props {
  classes: readonly Pick<Class, 'id' | 'name' | 'readers_count'>[];
  /** Ids of classes as text, and `none`. Empty for all pupils. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** Which classes a list shows: one button that opens a list of boxes to tick. */
export function ClassFilter({ classes, chosen, onChange }: Props) {
  const { isOpen, toggle: toggleList, root, button } = usePopover();
  // The boxes answer at once; the address, and with it the list, follows.
  const [ticked, setTicked] = useState(chosen);
  const inAddress = chosen.join(',');
  useEffect(() => setTicked(inAddress === '' ? [] : inAddress.split(',')), [inAddress]);
  const id = useId();

  const choose = (next: string[]) => {
    setTicked(next);
    onChange(next);
  };
  const toggle = (value: string) =>
    choose(ticked.includes(value) ? ticked.filter((one) => one !== value) : [...ticked, value]);
  const only =
    ticked.length === 1
      ? ticked[0] === WITHOUT_CLASS
        ? 'Without a class'
        : classes.find((one) => String(one.id) === ticked[0])?.name
      : undefined;
  const summary = ticked.length === 0 ? 'All classes' : (only ?? count(ticked.length, 'class', 'classes'));

  return (
    <div className={css.root} ref={root}>
      <Button
        ref={button}
        variant="default"
        className={css.button}
        data-on={ticked.length > 0 || undefined}
        rightSection={<IconChevronDown size={18} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggleList}
      >
        <VisuallyHidden>Classes shown: </VisuallyHidden>
        {summary}
      </Button>
      <div id={id} className={css.panel} hidden={!isOpen} role="group" aria-label="Classes shown">
        {isOpen && (
          <>
            <ul>
              {classes.map(({ id: classId, name, readers_count: pupilCount }) => (
                <li key={classId}>
                  <Checkbox
                    label={
                      <>
                        {name} <span className={css.count}>{count(pupilCount, 'pupil')}</span>
                      </>
                    }
                    checked={ticked.includes(String(classId))}
                    onChange={() => toggle(String(classId))}
                  />
                </li>
              ))}
              <li>
                <Checkbox
                  label="Without a class"
                  checked={ticked.includes(WITHOUT_CLASS)}
                  onChange={() => toggle(WITHOUT_CLASS)}
                />
              </li>
            </ul>
            <Button size="sm" variant="subtle" fullWidth disabled={ticked.length === 0} onClick={() => choose([])}>
              Show all classes
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
