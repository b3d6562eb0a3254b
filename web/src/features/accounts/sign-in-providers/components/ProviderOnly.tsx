import { useState } from 'react';
import type { SchoolSignIn } from '#contract/calls/sign-in-providers.ts';
import { ROLE_TEXTS } from '#contract/permissions.ts';
import { count, fullName, listInWords } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { showToast } from '../../../../ui/toasts.ts';
import { useSetProviderOnly } from '../sign-in-providers.api.ts';
import css from './SignInConnections.module.css';

/** Whether staff sign in through the school's providers only, and who has yet to link an account. */
export function ProviderOnly({ signIn, canChange }: { signIn: SchoolSignIn; canChange: boolean }) {
  const change = useSetProviderOnly(useSchoolId());
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const { provider_only: isOn, not_linked: notLinked } = signIn;
  const names = listInWords(signIn.connections.filter(({ connection }) => connection).map(({ name }) => name));

  const turnOff = async () => {
    setFailure(null);
    try {
      await change.mutateAsync(false);
      showToast('Passwords and passkeys work again');
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <section className="stack-m above-l measure" aria-label="Without passwords">
      {failure !== null && <ErrorNotice error={failure} />}
      <Checkbox
        checked={isOn}
        disabled={!canChange || change.isPending}
        onChange={() => (isOn ? void turnOff() : setAsking(true))}
        label={`Staff sign in with ${names} only`}
        description="Their passwords and passkeys then open nothing of your school. Administrators can still log in with them, so that you are not locked out when the provider fails."
      />
      {notLinked.length > 0 && (
        <div>
          <p className="flat">{count(notLinked.length, 'person', 'people')} without a linked account:</p>
          <ul className={css.names}>
            {notLinked.map((person) => (
              <li key={person.id}>
                {fullName(person)} ({ROLE_TEXTS[person.role].name})
              </li>
            ))}
          </ul>
        </div>
      )}
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Sign in with ${names} only?`}
        action="Turn passwords off"
        onConfirm={async () => {
          await change.mutateAsync(true);
          showToast(`Your staff sign in with ${names} only`);
        }}
      >
        {notLinked.length === 0
          ? 'All your staff have linked an account. Those who are logged in another way sign in again.'
          : `${count(notLinked.length, 'person has', 'people have')} not linked an account yet. When they next log in with their password, they sign in with ${names} before they see anything of your school.`}
      </Confirm>
    </section>
  );
}
