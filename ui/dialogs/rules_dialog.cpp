// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/rules_dialog.h"

#include "ui/session/lane_filter.h"

#include <QColorDialog>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPixmap>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ddp::ui {

using namespace Qt::StringLiterals;

namespace {

enum RuleColumn { MatchColumn, PatternColumn, ClassColumn, ColorColumn, ColumnCount };

QIcon swatch(const QColor& color) {
    QPixmap pixmap(16, 16);
    pixmap.fill(color);
    return pixmap;
}

QStringList matchTexts() {
    return {RulesDialog::tr("contains"), RulesDialog::tr("begins with"), RulesDialog::tr("ends with"),
            RulesDialog::tr("is"), RulesDialog::tr("fits the expression")};
}

} // namespace

RulesDialog::RulesDialog(std::vector<UserRule> rules, const Palette& palette, const QString& file,
                         Apply apply, QWidget* parent)
    : QDialog(parent), m_rules(std::move(rules)), m_palette(palette), m_apply(std::move(apply)),
      m_table(new QTableWidget(0, ColumnCount)), m_problem(new QLabel) {
    setObjectName(u"rulesDialog"_s);
    setWindowTitle(tr("Rules for classes and colours"));
    auto* about = new QLabel(tr(
        "What a region counts as, by its name, without regard to case. The first rule that fits wins; what "
        "none fits is left to the rules of the program. Numbers about communication and compute follow "
        "the rules; the trace is not read again."));
    about->setWordWrap(true);
    auto* where = new QLabel(tr("Kept in %1, which ddpscope-cli --class-rules takes as well.").arg(file));
    where->setWordWrap(true);
    where->setForegroundRole(QPalette::PlaceholderText);
    where->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setObjectName(u"rulesProblem"_s);
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto* buttons =
        new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Apply | QDialogButtonBox::Cancel);
    auto* middle = new QHBoxLayout;
    middle->addWidget(buildTable(), 1);
    middle->addWidget(buildSide());
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    column->addWidget(about);
    column->addLayout(middle, 1);
    column->addWidget(where);
    column->addWidget(m_problem);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        if (this->apply())
            accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::Apply), &QPushButton::clicked, this, &RulesDialog::apply);
    resize(760, 440);
    showRules();
}

QWidget* RulesDialog::buildTable() {
    m_table->setObjectName(u"rulesTable"_s);
    m_table->setAccessibleName(tr("Rules"));
    m_table->setHorizontalHeaderLabels(
        {tr("Name of the region"), tr("Pattern"), tr("Counts as"), tr("Colour")});
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->horizontalHeader()->setSectionResizeMode(PatternColumn, QHeaderView::Stretch);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setColumnWidth(MatchColumn, 150);
    m_table->setColumnWidth(ClassColumn, 180);
    m_table->setColumnWidth(ColorColumn, 120);
    m_table->setShowGrid(false);
    return m_table;
}

QWidget* RulesDialog::buildSide() {
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    const auto addButton = [column, this](const QString& name, const QString& text, auto work) {
        auto* button = new QPushButton(text);
        button->setObjectName(name);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, work);
        column->addWidget(button);
    };
    addButton(u"ruleAdd"_s, tr("&Add"), [this] { add(); });
    addButton(u"ruleRemove"_s, tr("&Remove"), [this] { remove(); });
    addButton(u"ruleUp"_s, tr("&Up"), [this] { move(-1); });
    addButton(u"ruleDown"_s, tr("&Down"), [this] { move(+1); });
    column->addStretch();
    return side;
}

void RulesDialog::showRules() {
    const int current = m_table->currentRow();
    m_table->setRowCount(static_cast<int>(m_rules.size()));
    for (int row = 0; row < m_table->rowCount(); ++row)
        showRow(row);
    if (m_table->rowCount() > 0)
        m_table->setCurrentCell(std::clamp(current, 0, m_table->rowCount() - 1), PatternColumn);
}

void RulesDialog::showRow(int row) {
    const UserRule& rule = m_rules[static_cast<std::size_t>(row)];
    const auto of = [this, row]() -> UserRule& { return m_rules[static_cast<std::size_t>(row)]; };
    const bool byHand = rule.match == UserRule::Match::ByHand;
    auto* match = new QComboBox;
    match->setAccessibleName(tr("How the name is compared"));
    match->addItems(byHand ? QStringList{tr("as the file says")} : matchTexts());
    match->setEnabled(!byHand);
    if (!byHand)
        match->setCurrentIndex(static_cast<int>(rule.match));
    connect(match, &QComboBox::currentIndexChanged, this,
            [of](int index) { of().match = static_cast<UserRule::Match>(index); });
    auto* pattern = new QLineEdit(byHand ? ruleText(rule) : rule.pattern);
    pattern->setAccessibleName(tr("Pattern"));
    pattern->setPlaceholderText(tr("part of a name"));
    pattern->setReadOnly(byHand);
    pattern->setToolTip(byHand
                            ? tr("This rule has conditions that only a text editor makes; it is kept as it "
                                 "is.")
                            : QString());
    connect(pattern, &QLineEdit::textChanged, this, [of](const QString& text) { of().pattern = text; });
    auto* work = new QComboBox;
    work->setAccessibleName(tr("Class"));
    for (int i = 0; i <= static_cast<int>(WorkClass::Other); ++i)
        work->addItem(workText(static_cast<WorkClass>(i)));
    work->setCurrentIndex(static_cast<int>(rule.work));
    connect(work, &QComboBox::currentIndexChanged, this,
            [of](int index) { of().work = static_cast<WorkClass>(index); });
    m_table->setCellWidget(row, MatchColumn, match);
    m_table->setCellWidget(row, PatternColumn, pattern);
    m_table->setCellWidget(row, ClassColumn, work);
    m_table->setCellWidget(row, ColorColumn, colorButton(row));
    m_table->setRowHeight(row, pattern->sizeHint().height() + 4);
}

QToolButton* RulesDialog::colorButton(int row) {
    const std::optional<QColor> color = m_rules[static_cast<std::size_t>(row)].color;
    auto* button = new QToolButton;
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setAccessibleName(tr("Colour"));
    button->setText(color ? color->name() : tr("of its class"));
    button->setIcon(color ? swatch(*color) : QIcon());
    auto* menu = new QMenu(button);
    menu->addAction(tr("The colour of its class"), this, [this, row] { setColor(row, std::nullopt); });
    menu->addSeparator();
    for (const auto& [name, choice] : m_palette.choices())
        menu->addAction(swatch(choice), name, this, [this, row, choice = choice] { setColor(row, choice); });
    menu->addSeparator();
    menu->addAction(tr("Another colour…"), this, [this, row, color] {
        const QColor chosen = QColorDialog::getColor(color.value_or(QColor(Qt::white)), this);
        if (chosen.isValid())
            setColor(row, chosen);
    });
    button->setMenu(menu);
    return button;
}

void RulesDialog::setColor(int row, const std::optional<QColor>& color) {
    m_rules[static_cast<std::size_t>(row)].color = color;
    // The menu whose action this is goes with the button that is replaced.
    QMetaObject::invokeMethod(
        this, [this, row] { m_table->setCellWidget(row, ColorColumn, colorButton(row)); },
        Qt::QueuedConnection);
}

void RulesDialog::add() {
    const int row = m_table->currentRow() < 0 ? 0 : m_table->currentRow() + 1;
    m_rules.insert(m_rules.begin() + row, UserRule());
    showRules();
    m_table->setCurrentCell(row, PatternColumn);
    m_table->cellWidget(row, PatternColumn)->setFocus();
}

void RulesDialog::remove() {
    const int row = m_table->currentRow();
    if (row < 0)
        return;
    m_rules.erase(m_rules.begin() + row);
    showRules();
}

void RulesDialog::move(int by) {
    const int row = m_table->currentRow();
    const int to = row + by;
    if (row < 0 || to < 0 || to >= m_table->rowCount())
        return;
    std::swap(m_rules[static_cast<std::size_t>(row)], m_rules[static_cast<std::size_t>(to)]);
    showRules();
    m_table->setCurrentCell(to, PatternColumn);
}

bool RulesDialog::apply() {
    const auto taken = m_apply(m_rules);
    m_problem->setVisible(!taken);
    m_problem->setText(taken ? QString() : QString::fromStdString(taken.error().message));
    return taken.has_value();
}

} // namespace ddp::ui
