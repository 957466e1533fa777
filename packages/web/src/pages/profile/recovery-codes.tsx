// Shows recovery codes once.
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { DialogButtons, ShownOnce } from '../../components/dialog.tsx'
import styles from './profile.module.css'

type RecoveryCodesProps = { readonly codes: readonly string[]; readonly onClose: () => void }

export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <>
      <p className="small">Each works once instead of a code, if you lose access to the app.</p>
      <ul className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div>
        <CopyButton text={codes.join('\n')} label="Copy the recovery codes" />
      </div>
      <ShownOnce>They are shown only once. Print them, or save them in your password manager.</ShownOnce>
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          I have saved them
        </Button>
      </DialogButtons>
    </>
  )
}
