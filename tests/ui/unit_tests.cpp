// SPDX-License-Identifier: GPL-3.0-or-later
// Everything of ui that needs no window.
#include "tests/ui/models/cluster_models_test.h"
#include "tests/ui/models/command_model_test.h"
#include "tests/ui/models/models_test.h"
#include "tests/ui/models/slice_links_test.h"
#include "tests/ui/models/table_text_test.h"
#include "tests/ui/panels/log_reader_test.h"
#include "tests/ui/session/bookmarks_test.h"
#include "tests/ui/session/go_to_target_test.h"
#include "tests/ui/session/lane_filter_test.h"
#include "tests/ui/session/run_memory_test.h"
#include "tests/ui/session/settings_file_test.h"
#include "tests/ui/session/slice_search_test.h"
#include "tests/ui/session/time_map_test.h"
#include "tests/ui/session/user_rules_test.h"
#include "tests/ui/session/view_history_test.h"
#include "tests/ui/session/view_state_test.h"
#include "tests/ui/tasks/task_runner_test.h"
#include "tests/ui/test_list.h"
#include "tests/ui/timeline/lane_selection_test.h"
#include "tests/ui/timeline/overlap_columns_test.h"
#include "tests/ui/timeline/overview_columns_test.h"
#include "tests/ui/timeline/picture_data_test.h"
#include "tests/ui/timeline/run_counters_test.h"
#include "tests/ui/timeline/timeline_coordinates_test.h"
#include "tests/ui/timeline/timeline_layout_test.h"

#include <QCoreApplication>

int main(int argc, char** argv) {
    using namespace ddp;
    QCoreApplication application(argc, argv);
    return test::runTests(argc, argv,
                          {test::named<ui::TimelineCoordinatesTest>("timeline_coordinates"),
                           test::named<ui::TimelineLayoutTest>("timeline_layout"),
                           test::named<ui::ViewStateTest>("view_state"),
                           test::named<ui::OverlapColumnsTest>("overlap_columns"),
                           test::named<ui::PictureDataTest>("picture_data"),
                           test::named<ui::RunCountersTest>("run_counters"),
                           test::named<ui::ModelsTest>("models"),
                           test::named<ui::TaskRunnerTest>("task_runner"),
                           test::named<ui::LogReaderTest>("log_reader"),
                           test::named<ui::LaneFilterTest>("lane_filter"),
                           test::named<ui::LaneSelectionTest>("lane_selection"),
                           test::named<ui::UserRulesTest>("user_rules"),
                           test::named<ui::SliceLinksTest>("slice_links"),
                           test::named<ui::BookmarksTest>("bookmarks"),
                           test::named<ui::CommandModelTest>("command_model"),
                           test::named<ui::GoToTargetTest>("go_to_target"),
                           test::named<ui::OverviewColumnsTest>("overview_columns"),
                           test::named<ui::SettingsFileTest>("settings_file"),
                           test::named<ui::SliceSearchTest>("slice_search"),
                           test::named<ui::ViewHistoryTest>("view_history"),
                           test::named<ui::TimeMapTest>("time_map"),
                           test::named<ui::RunMemoryTest>("run_memory"),
                           test::named<ui::TableTextTest>("table_text"),
                           test::named<ui::ClusterModelsTest>("cluster_models")});
}
