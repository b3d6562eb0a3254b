import { Button } from '../../../../ui/Button.tsx';
import { IconCheck, IconHanger, IconPrinter, IconTable } from '@tabler/icons-react';
import { useState } from 'react';
import type { LoginLinks } from '#contract/calls/pupil-import.ts';
import { downloadLink } from '../../../../shared/download.ts';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import css from './LoginDownloads.module.css';

const FILES = [
  {
    key: 'logins',
    text: 'Logins',
    link: 'logins',
    about: 'Cards for the pocket to print and cut out, ten a page (PDF)',
    file: 'login-cards.pdf',
    icon: IconPrinter,
  },
  {
    key: 'pegs',
    text: 'Cards for pegs',
    link: 'logins',
    query: '?size=peg',
    about: 'The same to hang up, four a page (PDF)',
    file: 'peg-cards.pdf',
    icon: IconHanger,
  },
  {
    key: 'spreadsheet',
    link: 'spreadsheet',
    text: 'Spreadsheet',
    about: 'Names, usernames and passwords (xlsx)',
    file: 'logins.xlsx',
    icon: IconTable,
  },
] as const;

interface Props {
  links: LoginLinks;
  onDownloaded?: () => void;
  /** The page has another main action beside them. */
  isAside?: boolean;
}

/** The files with new logins. They are fetched with the user's session, because they are for that user only. */
export function LoginDownloads({ links, onDownloaded, isAside = false }: Props) {
  const [busy, setBusy] = useState<string | null>(null);
  const [saved, setSaved] = useState<readonly string[]>([]);
  const [error, setError] = useState<unknown>(null);

  const save = async (key: string, link: string, file: string) => {
    setBusy(key);
    setError(null);
    try {
      await downloadLink(link, file);
      setSaved((before) => [...before, key]);
      onDownloaded?.();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(null);
    }
  };

  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      <ul className={css.files}>
        {FILES.map(({ key, text, link, about, file, icon: Icon, ...more }) => (
          <li key={key}>
            <Button
              variant={isAside || saved.includes(key) || 'query' in more ? 'default' : 'filled'}
              leftSection={saved.includes(key) ? <IconCheck size={20} aria-hidden /> : <Icon size={20} aria-hidden />}
              loading={busy === key}
              aria-describedby={`about-${key}`}
              onClick={() => void save(key, links[link] + ('query' in more ? more.query : ''), file)}
            >
              {text}
            </Button>
            <span id={`about-${key}`}>
              {about}
              {saved.includes(key) && <strong> Downloaded</strong>}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
