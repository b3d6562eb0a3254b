import { IconCertificate, IconTable } from '@tabler/icons-react';
import { Link } from '../../../ui/Link.tsx';
import { CERTIFICATES } from '#contract/certificates.ts';
import { paths } from '../../../paths.ts';
import { can } from '../../../shared/can.ts';
import { useUser } from '../../../shared/session.ts';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { Tiles } from '../../../ui/Tiles.tsx';
import css from './TemplatesPage.module.css';
import { staticFile } from '../../../shared/product.ts';

const SPREADSHEETS = [
  {
    file: 'pupils.xlsx',
    title: 'Pupil import spreadsheet',
    text: 'Names and classes, with an example and instructions.',
    use: 'Add pupils with it',
    to: paths.addPupilsToSchool(),
    right: 'manage_pupils' as const,
  },
  {
    file: 'teachers.xlsx',
    title: 'Teacher import spreadsheet',
    text: 'Emails and names of the teachers to invite.',
    use: 'Invite teachers with it',
    to: paths.addTeacher(),
    right: 'add_teacher' as const,
  },
];

/** Spreadsheets to fill in and certificates to print. */
export default function TemplatesPage() {
  const user = useUser();
  return (
    <>
      <PageHeader title="Templates" crumbs={[{ text: 'Help and support', to: paths.overview() }]} />
      <section aria-labelledby="spreadsheets">
        <h2 id="spreadsheets">Spreadsheets</h2>
        <Tiles minWidth="19rem">
          {SPREADSHEETS.map(({ file, title, text, use, to, right }) => (
            <li key={file} className={css.file}>
              <IconTable size={30} stroke={1.5} aria-hidden />
              <div>
                <a href={staticFile(file) ?? `/v1/templates/${file}`} download>
                  {title} <span className={css.kind}>(xlsx)</span>
                </a>
                <p>
                  {text} {can(user, right) && <Link to={to}>{use}</Link>}
                </p>
              </div>
            </li>
          ))}
        </Tiles>
      </section>
      <section aria-labelledby="certificates">
        <h2 id="certificates">Certificates</h2>
        <p className="soft measure">
          A4, with a field for the name that you can type into or fill in by hand. You can download them with names
          filled in from a pupil’s or a class’s page.
        </p>
        <Tiles minWidth="19rem">
          {Object.entries(CERTIFICATES).map(([id, title]) => (
            <li key={id} className={css.file}>
              <IconCertificate size={30} stroke={1.5} aria-hidden />
              <div>
                <a href={staticFile(`certificates/${id}.pdf`) ?? `/v1/certificates/${id}.pdf`} download>
                  {title} <span className={css.kind}>(PDF)</span>
                </a>
              </div>
            </li>
          ))}
        </Tiles>
      </section>
    </>
  );
}
