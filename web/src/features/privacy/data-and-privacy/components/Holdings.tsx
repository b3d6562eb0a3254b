import { Button } from '../../../../ui/Button.tsx';
import type { Holding } from '#contract/calls/privacy.ts';
import { WhileOpen } from '../../../school/school/school.public.ts';
import css from './Holdings.module.css';

const ABOUT: Record<Holding['whose'][number], string> = {
  pupils: 'pupils',
  staff: 'staff',
  school: 'the school',
  company: 'us',
};

/** Each kind of data with its period; the rest opens. */
export function Holdings({
  holdings,
  onChange,
}: {
  holdings: readonly Holding[];
  /** Absent for a user who cannot change a period. */
  onChange: ((holding: Holding) => void) | undefined;
}) {
  return (
    <ul className={css.list}>
      {holdings.map((holding) => (
        <li key={holding.name}>
          <details className={css.item}>
            <summary>
              <span className={`strong ${css.title}`}>{holding.title}</span>
              <span className={`soft ${css.kept}`}>{holding.kept}</span>
            </summary>
            <dl className={css.facts}>
              <Fact name="What" text={`${holding.contents.replace(/\.$/, '')}.`} />
              <Fact name="About" text={capitalise(holding.whose.map((people) => ABOUT[people]).join(', '))} />
              <Fact name="Why" text={`${holding.purpose.replace(/\.$/, '')}.`} />
              {holding.legal && <Fact name="The law" text={holding.legal} />}
              <Fact name="Who receives it" text={holding.recipients} />
              <Fact name="How long" text={holding.kept} />
              <Fact name="Erased by" text={holding.erased} />
              <Fact name="A copy for you" text={holding.exported} />
            </dl>
            {holding.period && onChange && (
              <WhileOpen>
                <Button
                  variant="default"
                  aria-label={`Change the period of ${holding.title}`}
                  onClick={() => onChange(holding)}
                >
                  Change the period
                </Button>
              </WhileOpen>
            )}
          </details>
        </li>
      ))}
    </ul>
  );
}

const Fact = ({ name, text }: { name: string; text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
);

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
