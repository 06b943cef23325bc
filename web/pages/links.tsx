import { LinkList } from '../features/links/link-list.tsx'
import { linkList } from '../texts/links/link-messages.ts'
import { Section } from '../ui/section.tsx'
import { usePageTitle } from './use-page-title.ts'

/** All links of the user, by which others see albums and images. */
export function LinksPage() {
  usePageTitle(linkList.title)
  return (
    <div className="page page-wide links-page pt-8 md:pt-12">
      <h1 id="links" tabIndex={-1} className="text-title">
        {linkList.title}
      </h1>
      <Section>
        <LinkList />
      </Section>
    </div>
  )
}
