import { TagList } from '../features/tags/tag-list.tsx'
import { titles } from '../texts/messages.ts'
import { Section } from '../ui/section.tsx'
import { usePageTitle } from './use-page-title.ts'

/** All tags of the user's images. */
export function TagsPage() {
  usePageTitle(titles.tags)
  return (
    <div className="page page-text pt-8 md:pt-12">
      <h1 id="tags" tabIndex={-1} className="text-title">
        {titles.tags}
      </h1>
      <Section>
        <TagList />
      </Section>
    </div>
  )
}
