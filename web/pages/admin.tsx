import { type ReactNode, useId } from 'react'
import { useLocation } from 'wouter'
// The router's own hook decodes the search once: %2F within a name would be lost.
import { useSearch } from 'wouter/use-browser-location'
import { useOpenReportCount } from '../model/open-reports.ts'
import { useSession } from '../model/session.ts'
import {
  auditQueryOf,
  blocklistQueryOf,
  imageQueryOf,
  reportStatusOf,
  searchOfAudit,
  searchOfBlocks,
  searchOfImages,
  searchOfReports,
  searchOfTab,
  searchOfUsers,
  type Tab,
  tabOf,
  tabs,
  userQueryOf,
} from '../features/admin/admin-address.ts'
import { AuditPanel } from '../features/admin/audit/audit-panel.tsx'
import { BackupsPanel } from '../features/admin/backups/backups-panel.tsx'
import { BlocklistPanel } from '../features/admin/blocklist/blocklist-panel.tsx'
import { CleanupPanel } from '../features/admin/overview/cleanup-panel.tsx'
import { AdminOverview } from '../features/admin/overview/admin-overview.tsx'
import { ImagesPanel } from '../features/admin/images/images-panel.tsx'
import { InvitesPanel } from '../features/admin/invites/invites-panel.tsx'
import { MoreTabs } from '../features/admin/more-tabs.tsx'
import { ReportsPanel } from '../features/admin/reports/reports-panel.tsx'
import { useBackupWatch } from '../features/admin/backups/use-backup-watch.ts'
import { UsersPanel } from '../features/admin/users/users-panel.tsx'
import { admin } from '../texts/admin/admin-messages.ts'
import { adminReports } from '../texts/admin/admin-reports-messages.ts'
import { shell } from '../texts/shell-messages.ts'
import { TabList, tabId } from '../ui/tab-list.tsx'
import { Section } from '../ui/section.tsx'
import { usePageTitle } from './use-page-title.ts'
import '../features/gallery/gallery.css'
import '../features/admin/admin.css'
import '../styles/bars.css'

interface PanelProps {
  search: string
  go: (search: string) => void
}

const panels: Record<Tab, (props: PanelProps) => ReactNode> = {
  overview: () => <AdminOverview />,
  users: (props) => <Users {...props} />,
  invites: () => <InvitesPanel />,
  images: ({ search, go }) => (
    <ImagesPanel query={imageQueryOf(search)} onQuery={(query) => go(searchOfImages(query))} />
  ),
  reports: ({ search, go }) => (
    <ReportsPanel status={reportStatusOf(search)} onStatus={(status) => go(searchOfReports(status))} />
  ),
  blocklist: ({ search, go }) => (
    <BlocklistPanel query={blocklistQueryOf(search)} onQuery={(query) => go(searchOfBlocks(query))} />
  ),
  backups: () => <BackupsPanel />,
  cleanup: () => <CleanupPanel />,
  audit: ({ search, go }) => <AuditPanel query={auditQueryOf(search)} onQuery={(query) => go(searchOfAudit(query))} />,
}

/** The admin page. The tab and its filters are in the address. */
export function AdminPage() {
  usePageTitle(admin.title)
  useBackupWatch()
  const reports = useOpenReportCount()
  const reportsBadge = reports > 0 ? { text: shell.count(reports), name: adminReports.count.open(reports) } : undefined
  const panelId = useId()
  const [path, navigate] = useLocation()
  const search = useSearch()
  const tab = tabOf(search)
  // Adds no history entry: going back leaves the page.
  const go = (next: string) => navigate(path + next, { replace: true })

  return (
    <div className="page page-wide pt-8 md:pt-12">
      <h1 className="text-title">{admin.title}</h1>
      <MoreTabs>
        <TabList
          label={admin.tabsLabel}
          tabs={tabs.map((id) => ({
            id,
            label: admin.tabs[id],
            badge: id === 'reports' ? reportsBadge : undefined,
          }))}
          selected={tab}
          onSelect={(next) => go(searchOfTab(next))}
          panelId={panelId}
        />
      </MoreTabs>
      <div id={panelId} role="tabpanel" aria-labelledby={tabId(panelId, tab)} tabIndex={-1} className="admin-panel">
        <Section key={tab}>{panels[tab]({ search, go })}</Section>
      </div>
    </div>
  )
}

function Users({ search, go }: PanelProps) {
  const session = useSession()
  const ownId = session.status === 'in' ? session.user.id : ''
  return <UsersPanel query={userQueryOf(search)} onQuery={(query) => go(searchOfUsers(query))} ownId={ownId} />
}
