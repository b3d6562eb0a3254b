import { Button } from '../../../../ui/Button.tsx';
import { lazy, useState } from 'react';
import type { FactorPolicyReply } from '#contract/calls/factor-policy.ts';
import { type Role, ROLE_TEXTS } from '#contract/permissions.ts';
import { formatDate, fullName } from '../../../../shared/format.ts';
import { today } from '../../../../shared/school-day.ts';
import { useSchoolId, useUser } from '../../../../shared/session.ts';
import { usePrefetchedQuery } from '../../../../shared/use-prefetched-query.ts';
import { Card } from '../../../../ui/Card.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { factorPolicyQuery } from '../school-details.api.ts';
import { WhileOpen } from './WhileOpen.tsx';
import css from './SchoolSettings.module.css';

const FactorPolicyForm = lazy(() => import('./FactorPolicyForm.tsx'));

type Policy = FactorPolicyReply['policy'];

const sinceOrFrom = (day: string) => `${day <= today() ? 'since' : 'from'} ${formatDate(day)}`;

/** The policy in a sentence. */
export function policyInWords({ required, admins_from: admins, teachers_from: teachers }: Policy): string {
  if (required === 'optional' || admins === null) return 'Optional for everyone.';
  if (teachers === null) return `Required for admins ${sinceOrFrom(admins)}, optional for teachers.`;
  if (teachers === admins) return `Required for all staff ${sinceOrFrom(admins)}.`;
  return `Required for admins ${sinceOrFrom(admins)}, and for teachers ${sinceOrFrom(teachers)}.`;
}

/** Who of the staff needs a second factor to log in, for admins. */
export function FactorPolicy() {
  const isSupport = Boolean(useUser().impersonated_by);
  return (
    <Card className={css.box} aria-labelledby="factor-policy-title">
      <h2 id="factor-policy-title">Login security</h2>
      <p>
        With a passkey or an authenticator app, a guessed or copied password is not enough to reach your pupils’ data.
        Pupils never need one.
      </p>
      {isSupport ? <p>Only an admin of the school can see this.</p> : <PolicyAndStaff />}
    </Card>
  );
}

/** The role of a colleague who is more or less than a teacher, after the name. */
function roleNote(role: Role): string {
  if (role === 'teacher') return '';
  const { name } = ROLE_TEXTS[role];
  return ` (${name.charAt(0).toLowerCase()}${name.slice(1)})`;
}

function PolicyAndStaff() {
  const result = usePrefetchedQuery(factorPolicyQuery(useSchoolId()));
  const [isEditing, setEditing] = useState(false);
  const close = () => setEditing(false);
  const policy = result.data?.policy;
  const without = result.data?.without_factor ?? [];
  return (
    <>
      {result.error && !policy && <ErrorNotice error={result.error} onRetry={() => void result.refetch()} />}
      {policy && (
        <>
          <p>
            <strong>{policyInWords(policy)}</strong>
          </p>
          {without.length === 0 ? (
            <p className="soft measure">All staff have one.</p>
          ) : (
            <>
              <p>Staff without one, so that you can remind them:</p>
              <ul className={css.rules}>
                {without.map((person) => (
                  <li key={person.id}>
                    {fullName(person)}
                    {roleNote(person.role)}
                  </li>
                ))}
              </ul>
            </>
          )}
          <WhileOpen>
            <Button variant="default" onClick={() => setEditing(true)}>
              Change who needs one
            </Button>
          </WhileOpen>
          <Dialog isOpen={isEditing} onClose={close} title="Who needs a passkey or an authenticator app">
            <FactorPolicyForm policy={policy} onClose={close} />
          </Dialog>
        </>
      )}
    </>
  );
}
