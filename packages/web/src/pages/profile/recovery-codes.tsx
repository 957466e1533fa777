// Shows recovery codes once.
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { DialogButtons } from '../../components/dialog.tsx'
import { Notice } from '../../components/states.tsx'
import styles from './profile.module.css'

type RecoveryCodesProps = { readonly codes: readonly string[]; readonly onClose: () => void }

export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <>
      <p className="small">Each signs you in once in place of a code, when the device with the app is out of reach.</p>
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
      <Notice>They are shown this once. Print them, or keep them where your passwords are.</Notice>
      <DialogButtons>
        <Button variant="primary" onClick={onClose}>
          I have kept them
        </Button>
      </DialogButtons>
    </>
  )
}
