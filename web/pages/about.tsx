import { Link } from '../ui/link.tsx'
import { about } from '../texts/prose.ts'
import { titles } from '../texts/messages.ts'
import { paths } from '../paths.ts'
import { ProsePage } from './prose-page.tsx'

export function AboutPage() {
  return (
    <ProsePage title={about.title} documentTitle={titles.about} lead={about.lead} chapters={about.chapters}>
      <p className="mt-10 text-reading text-text-2">
        {about.questions}{' '}
        <Link className="link" to={paths.contact}>
          {about.contact}
        </Link>
      </p>
    </ProsePage>
  )
}
