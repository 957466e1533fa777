// Theme setting: light, dark, or the system's.
import { Section } from '../../components/section.tsx'
import { chooseTheme, THEME_NAMES, THEMES, useTheme } from '../../theme/theme.ts'
import styles from './profile.module.css'

export function ThemeChoice() {
  const chosen = useTheme()
  return (
    <Section title="Appearance" about="Saved in this browser.">
      <fieldset className={styles.themes}>
        <legend className="visually-hidden">Theme</legend>
        {THEMES.map((theme) => (
          <label key={theme} className={styles.theme}>
            <input type="radio" name="theme" checked={theme === chosen} onChange={() => chooseTheme(theme)} />
            {THEME_NAMES[theme]}
          </label>
        ))}
      </fieldset>
    </Section>
  )
}
