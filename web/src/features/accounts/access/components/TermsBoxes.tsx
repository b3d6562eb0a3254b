import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { Link } from '../../../../ui/Link.tsx';
import { paths } from '../../../../paths.ts';

interface Props {
  /** `form.field` of useSchemaForm, with the path of the boxes in it. */
  field: (name: string, options: { type: 'checkbox' }) => object;
  labels: { accept_eula: string; accepts_ts_and_cs: string };
  notes?: { accept_eula: string; accepts_ts_and_cs: string };
}

/** What is accepted with each box. */
const TEXTS = {
  accept_eula: [{ to: paths.licence(), text: 'the licence agreement' }],
  accepts_ts_and_cs: [
    { to: paths.terms(), text: 'the terms and conditions' },
    { to: paths.privacy(), text: 'the privacy policy' },
  ],
} as const;

/** The two boxes without which no school is set up. */
export function TermsBoxes({ field, labels, notes }: Props) {
  return (
    <div className="stack-xs">
      {(['accept_eula', 'accepts_ts_and_cs'] as const).map((name) => (
        <Checkbox
          key={name}
          {...field(name, { type: 'checkbox' })}
          label={labels[name]}
          description={
            <>
              {notes && <>{notes[name]}. </>}
              Read{' '}
              {TEXTS[name].map(({ to, text }, index) => (
                <span key={to}>
                  {index > 0 && ' and '}
                  <Link to={to} target="_blank">
                    {text}
                  </Link>
                </span>
              ))}{' '}
              (in a new tab)
            </>
          }
          className="roomy"
        />
      ))}
    </div>
  );
}
