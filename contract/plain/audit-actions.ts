// Every action of the audit log. Without zod, so that the page can import it.

interface Action {
  group: keyof typeof auditGroups
  /** What was done, as the audit page shows it. */
  label: string
}

export const auditGroups = {
  sign_in: 'Logins',
  accounts: 'Accounts',
  api_keys: 'API keys',
  webhooks: 'Webhooks',
  images: 'Images',
  database: 'Database view',
  backups: 'Backups',
  instance: 'Instance',
}

export const auditActions = {
  login: { group: 'sign_in', label: 'Logged in' },
  login_failed: { group: 'sign_in', label: 'Login failed' },
  identity_confirmed: { group: 'sign_in', label: 'Identity confirmed' },
  session_ended: { group: 'sign_in', label: 'Session ended' },
  logout_everywhere: { group: 'sign_in', label: 'Logged out everywhere' },
  factor_added: { group: 'sign_in', label: 'Second factor added' },
  factor_removed: { group: 'sign_in', label: 'Second factor removed' },
  recovery_codes_created: { group: 'sign_in', label: 'Recovery codes created' },
  identity_linked: { group: 'sign_in', label: 'Login provider connected' },
  identity_unlinked: { group: 'sign_in', label: 'Login provider disconnected' },
  password_changed: { group: 'sign_in', label: 'Password changed' },
  email_confirmed: { group: 'sign_in', label: 'Email confirmed' },

  user_created: { group: 'accounts', label: 'User created' },
  user_updated: { group: 'accounts', label: 'User changed' },
  role_changed: { group: 'accounts', label: 'Role changed' },
  status_changed: { group: 'accounts', label: 'Status changed' },
  quota_changed: { group: 'accounts', label: 'Quota changed' },
  deletion_requested: { group: 'accounts', label: 'Deletion requested' },
  deletion_cancelled: { group: 'accounts', label: 'Deletion cancelled' },
  own_data_downloaded: { group: 'accounts', label: 'Own data downloaded' },
  user_deleted: { group: 'accounts', label: 'User deleted' },
  invite_created: { group: 'accounts', label: 'Invitation created' },
  invite_deleted: { group: 'accounts', label: 'Invitation deleted' },

  api_key_created: { group: 'api_keys', label: 'API key created' },
  api_key_updated: { group: 'api_keys', label: 'API key changed' },
  api_key_deleted: { group: 'api_keys', label: 'API key deleted' },

  webhook_created: { group: 'webhooks', label: 'Webhook created' },
  webhook_updated: { group: 'webhooks', label: 'Webhook changed' },
  webhook_deleted: { group: 'webhooks', label: 'Webhook deleted' },
  webhook_secret_rotated: { group: 'webhooks', label: 'Webhook secret replaced' },
  webhook_switched_off: { group: 'webhooks', label: 'Webhook switched off' },

  image_deleted: { group: 'images', label: 'Image deleted' },
  image_expired: { group: 'images', label: 'Expired image removed' },
  image_restored: { group: 'images', label: 'Image restored' },
  trash_emptied: { group: 'images', label: 'Deleted images removed for good' },
  image_updated: { group: 'images', label: 'Image changed' },
  link_created: { group: 'images', label: 'Link created' },
  link_updated: { group: 'images', label: 'Link changed' },
  link_deleted: { group: 'images', label: 'Link deleted' },
  member_invited: { group: 'images', label: 'Album member invited' },
  member_updated: { group: 'images', label: 'Album member changed' },
  member_removed: { group: 'images', label: 'Album member removed' },
  album_deleted: { group: 'images', label: 'Album deleted' },
  image_quarantined: { group: 'images', label: 'Image quarantined' },
  quarantine_lifted: { group: 'images', label: 'Quarantine lifted' },
  image_blocked: { group: 'images', label: 'Image blocked' },
  report_decided: { group: 'images', label: 'Report decided' },
  block_added: { group: 'images', label: 'Block added' },
  block_removed: { group: 'images', label: 'Block removed' },
  refused_by_block: { group: 'images', label: 'Refused by a blocklist' },

  database_unlocked: { group: 'database', label: 'Database view unlocked' },
  pin_failed: { group: 'database', label: 'Wrong PIN' },
  pin_reset: { group: 'database', label: 'PIN reset' },
  documents_added: { group: 'database', label: 'Documents added' },
  document_changed: { group: 'database', label: 'Document changed' },
  documents_deleted: { group: 'database', label: 'Documents deleted' },
  collection_deleted: { group: 'database', label: 'Collection deleted' },

  backup_created: { group: 'backups', label: 'Backup started' },
  backup_downloaded: { group: 'backups', label: 'Backup downloaded' },
  backup_deleted: { group: 'backups', label: 'Backup deleted' },
  backup_restored: { group: 'backups', label: 'Backup restored' },

  cleanup_run: { group: 'instance', label: 'Cleanup run' },
  import_started: { group: 'instance', label: 'Import started' },
  export_started: { group: 'instance', label: 'Export started' },
  instance_copied: { group: 'instance', label: 'Copy of the instance started' },
  settings_changed: { group: 'instance', label: 'Settings changed' },
  audit_exported: { group: 'instance', label: 'Audit log exported' },
} as const satisfies Record<string, Action>

export type AuditAction = keyof typeof auditActions

/** Actors that are not accounts. */
export const otherActors = {
  guest: 'Guest',
  command_line: 'Command line',
  server: 'Server',
}
export type OtherActor = keyof typeof otherActors
