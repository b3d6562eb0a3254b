import { ButtonAnchor } from '../../../../ui/Button.tsx';
import { IconLogin2 } from '@tabler/icons-react';
import { paths } from '../../../../paths.ts';
import { SIGN_IN_PROVIDERS } from '../../../../shared/product.ts';

interface Props {
  /** Those of the settings when absent. */
  ids?: readonly string[];
  /** Where to go afterwards, or the invitation to accept. */
  query?: { redirect?: string; invitation?: string };
}

/** A link to each provider's own login. Works before the scripts load. */
export const SignInLinks = ({ ids, query }: Props) =>
  SIGN_IN_PROVIDERS.filter(({ id }) => !ids || ids.includes(id)).map(({ id, name }) => (
    <ButtonAnchor
      key={id}
      href={paths.signIn(id, query)}
      variant="default"
      fullWidth
      leftSection={<IconLogin2 size={18} aria-hidden />}
    >
      Sign in with {name}
    </ButtonAnchor>
  ));
