/**
 * Section 8 of the specification, sentence by sentence. `appears.ts` tests for each line that the locale key has the specification's
 * sentence, and that it is shown.
 *
 * A placeholder is written `{name}`. A sentence without a reason stands alone; the reason is on a second line.
 */
export const SECTION_8 = {
  loads: {
    'load.respawnsStatus': [
      'Failed to fetch respawns: {status} {statusText} - {body}',
      'board, form, dashboard and connection sign, while the live connection is down',
    ],
    'load.respawns': [
      'Failed to fetch respawns',
      'the same, for a network that fails and for the list that admins read',
    ],
    'load.categoriesStatus': ['Failed to fetch categories: {status} {statusText}', 'the same'],
    'load.categories': ['Failed to load categories', 'the same, for a network that fails'],
    'load.categoriesFormat': [
      'Failed to load categories: Invalid data format - expected array but got: {type}',
      'the same',
    ],
    'load.config': ['Failed to fetch configuration', 'the same'],
    'load.memberTypes': ['Failed to fetch member types', 'the same'],
    'load.accessKeys': [
      'Failed to fetch access keys',
      'dashboard, while the live connection is down',
    ],
    'load.verifiedCodes': ['Failed to fetch verified codes', 'dashboard, for a network that fails'],
    'load.verifiedCodesReason': [
      'Failed to fetch verified codes: {reason}',
      'dashboard, while the live connection is down',
    ],
    'load.adminData': [
      'Failed to load admin data: {reason}',
      'dashboard (events, activity log), while the live connection is down',
    ],
    'load.claims': ['Failed to fetch claims', 'claim form, above the hours of a date'],
    'submit.eventClaimsFailed': [
      'Failed to fetch event claims',
      'claim form, above the hours of a single_claim event',
    ],
    'admin.claims.loadFailed': [
      'Failed to fetch claims',
      'dashboard, Claims without an active event',
    ],
    'admin.claims.eventLoadFailed': [
      'Failed to load event claims',
      'dashboard, Claims of the active event',
    ],
  },
  sessions: {
    'shell.sessionEnded.token': ['Token verification failed', 'above the login that follows'],
    'shell.sessionEnded.key': ['Failed to validate access key', 'above any page'],
    'errors.session.wrongLogin': ['Invalid username or password', 'login form'],
    'errors.session.adminOnly': ['Access denied', 'wherever it was tried, as the reason'],
    'errors.session.required': ['Access denied', 'wherever it was tried, as the reason'],
    'errors.session.expired': [
      'Your session has expired. Please login again.',
      'above the login that follows',
    ],
    'errors.session.invalidKey': ['Invalid access key', 'login form'],
    'login.failed': ['Login failed', 'login form'],
    'errors.server.failed': [
      'An error occurred. Please try again.',
      'wherever it was tried, as the reason',
    ],
    'errors.network.failed': [
      'Network error. Please check your connection.',
      'wherever it was tried',
    ],
    'login.adminSuccess': ['Admin login successful! Redirecting...', 'login form'],
    'login.keySuccess': ['Login successful! Redirecting...', 'login form'],
  },
  verification: {
    'verify.name.failed': ['Failed to generate verification code', 'verification, below the name'],
    'verify.check.timedOut': [
      'Verification timed out after 10 minutes. Please try again or use an access key.',
      'verification, below the check',
    ],
    'verify.check.timedOutOffline': [
      'Verification timed out after 10 minutes. Please try again or contact an admin.',
      'verification, below the check',
    ],
    'errors.verification.expired': [
      'Verification code expired. Please generate a new code.',
      'verification, beside the code',
    ],
    'verify.check.failed': [
      'Verification failed. Please try again or contact an admin.',
      'verification, below the check',
    ],
  },
  form: {
    'submit.failed': [
      'Failed to create claim',
      'claim form, above its button, where the server has no reason of its own',
    ],
    'errors.claim.submissionDisabled': [
      'Claim submission is currently disabled',
      'claim form, above it',
    ],
    'submit.timeConflict': ['Time conflict with existing claims', 'claim form, above its button'],
    'submit.alreadyAdded': [
      'This date is already added',
      'claim form, beside "Configure the next day"',
    ],
    'submit.success.title': ['Claims Submitted Successfully!', 'success panel'],
    'submit.admin.success': [
      'Successfully submitted {n} claim(s) for {character}!',
      'success panel of the admin entry',
    ],
  },
  pictures: {
    'board.photo.saved': ['Screenshot saved as {fileName}', 'board in photo mode, toast'],
    'board.photo.failed': [
      'Failed to take screenshot. Please try again.',
      'board in photo mode, toast',
    ],
    'board.photo.notFound': [
      'Could not find the category section to screenshot.',
      'board in photo mode, toast',
    ],
  },
  claims: {
    'admin.claims.updated': ['Claim updated successfully', 'dashboard, Claims, toast'],
    'admin.claims.updateError': [
      'Error updating claim',
      'dialog of the times, where no answer came',
    ],
    'admin.claims.updateFailed': ['Failed to update claim: {reason}', 'dialog of the times'],
    'admin.claims.deleted': ['Claim deleted successfully', 'dashboard, Claims, toast'],
    'admin.claims.deleteFailed': ['Failed to delete claim', 'its confirmation'],
    'admin.claims.cleared': [
      'Successfully cleared {n} claims for {respawn}',
      'dashboard, Claims, toast',
    ],
    'admin.claims.clearFailed': ['Failed to clear claims for {respawn}', 'its confirmation'],
  },
  events: {
    'admin.events.created': [
      "Event '{event_name}' created successfully",
      'dashboard, Events, toast',
    ],
    'admin.events.updated': ['Event updated successfully', 'dashboard, Events, toast'],
    'admin.events.deleted': ['Event deleted successfully', 'dashboard, Events, toast'],
    'admin.events.activated': ['Event activated successfully', 'dashboard, Events, toast'],
    'admin.events.deactivated': ['Event deactivated successfully', 'dashboard, Events, toast'],
    'admin.events.createFailed': ['Failed to create event', 'dialog of the event'],
    'admin.events.updateFailed': ['Failed to update event', 'dialog of the event'],
    'admin.events.deleteFailed': ['Failed to delete event', 'its confirmation'],
    'admin.events.activateFailed': ['Failed to activate event', 'its confirmation'],
    'admin.events.deactivateFailed': ['Failed to deactivate event', 'its confirmation'],
    'admin.settings.saved': ['Configuration saved successfully!', 'dashboard, toast'],
  },
  members: {
    'admin.members.created': [
      "Member type '{type_name}' created successfully",
      'dashboard, Members, toast',
    ],
    'admin.members.updated': ['Member type updated successfully', 'dashboard, Members, toast'],
    'admin.members.deleted': [
      "Member type '{type_name}' deleted successfully",
      'dashboard, Members, toast',
    ],
    'admin.members.createFailed': ['Failed to create member type', 'form of the new type'],
    'admin.members.updateFailed': ['Failed to update member type', 'card that is edited'],
    'admin.members.deleteFailed': [
      'Failed to delete member type',
      'dashboard, Members, on the card',
    ],
  },
  keys: {
    'admin.keys.createFailed': ['Failed to create access key', 'form of the new key'],
    'errors.key.notFound': ['Access key not found', 'as the reason, wherever a key is changed'],
    'admin.keys.revokeFailed': ['Failed to revoke access key: {reason}', 'its confirmation'],
    'admin.keys.deleteFailed': ['Failed to delete access key: {reason}', 'its confirmation'],
    'admin.keys.enableFailed': [
      'Failed to re-enable access key: {reason}',
      'dashboard, Keys, toast',
    ],
    'admin.keys.typeFailed': [
      'Failed to update access key member type: {reason}',
      'row that is edited',
    ],
    'admin.keys.revokedMessage': ['Access key revoked successfully', 'dashboard, Keys, toast'],
    'admin.characters.failed.revoke': [
      'Failed to revoke character access: {reason}',
      'its confirmation',
    ],
    'admin.characters.failed.ban': ['Failed to ban character: {reason}', 'its confirmation'],
    'admin.characters.failed.unban': ['Failed to unban character: {reason}', 'its confirmation'],
    'admin.characters.failed.delete': [
      'Failed to delete verification record: {reason}',
      'its confirmation',
    ],
  },
  places: {
    'admin.respawns.created': ['Respawn created successfully', 'dashboard, Respawns, toast'],
    'admin.respawns.updated': ['Respawn updated successfully', 'dashboard, Respawns, toast'],
    'admin.respawns.deleted': ['Respawn deleted successfully', 'dashboard, Respawns, toast'],
    'admin.respawns.createFailed': [
      'Failed to create respawn: {status} {body}',
      'form of the new respawn',
    ],
    'admin.respawns.updateFailed': ['Failed to update respawn: {reason}', 'row that is edited'],
    'admin.respawns.categoryFailed': ['Failed to update respawn category', 'row that is edited'],
    'admin.respawns.imageFailed': ['Failed to update respawn image', 'row that is edited'],
    'admin.respawns.deleteFailed': ['Failed to delete respawn', 'its confirmation'],
    'admin.categories.added': ['Category added successfully', 'dashboard, Categories, toast'],
    'admin.categories.updated': ['Category updated successfully', 'dashboard, Categories, toast'],
    'admin.categories.deleted': ['Category deleted successfully', 'dashboard, Categories, toast'],
    'admin.categories.addFailed': ['Failed to add category: {reason}', 'below the name'],
    'admin.categories.updateFailed': ['Failed to update category: {reason}', 'row that is edited'],
    'admin.categories.deleteFailed': ['Failed to delete category: {reason}', 'its confirmation'],
  },
} as const;

/** Shown nowhere, by the specification: only the browser's log has them. */
export const LOGGED = ['Failed to fetch active event'] as const;

export type Chapter = keyof typeof SECTION_8;
